// The documents of a text that has not changed since it was read last: whoever moves a slider of the configuration does not
// want a large cluster to be read again each time.

import type { EditorName } from './types';
import { type ParsedDocument, parseYaml, type Problem } from './yaml';

export type Parse = (editor: EditorName, text: string, problems: Problem[]) => ParsedDocument[];

export function remembering(parse: (text: string, problems: Problem[]) => ParsedDocument[] = parseYaml): Parse {
  const kept = new Map<EditorName, { text: string; problems: Problem[]; documents: ParsedDocument[] }>();
  return (editor, text, problems) => {
    let known = kept.get(editor);
    if (known?.text !== text) {
      const found: Problem[] = [];
      known = { text, problems: found, documents: parse(text, found) };
      kept.set(editor, known);
    }
    problems.push(...known.problems);
    return known.documents;
  };
}
