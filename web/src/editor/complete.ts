// Completion and what stands under the mouse, as CodeMirror wants them. The types are loaded when they are first needed.

import { autocompletion, type CompletionContext, type CompletionResult, completionKeymap, startCompletion } from '@codemirror/autocomplete';
import { type Extension, Prec } from '@codemirror/state';
import { type EditorView, hoverTooltip, keymap } from '@codemirror/view';
import { cursorAt } from './cursor';
import { type Around, propose } from './propose';
import { Schema } from './schema';
import { docOf } from './words';

let schema: Promise<Schema> | null = null;
const theSchema = () => (schema ??= import('virtual:api-schema').then(({ default: api }) => new Schema(api)));

export async function complete(context: CompletionContext, around: () => Around): Promise<CompletionResult | null> {
  const cursor = cursorAt(context.state.doc.toString(), context.pos);
  if (!cursor || (!context.explicit && cursor.mode === 'key' && cursor.prefix === '')) return null;
  const proposals = propose(cursor, await theSchema(), around());
  if (proposals.length === 0 || context.aborted) return null;
  return {
    from: context.pos - cursor.prefix.length,
    options: proposals.map(({ label, apply, kind, detail, info }) => ({
      label,
      type: kind,
      ...(detail ? { detail } : {}),
      ...(info ? { info } : {}),
      apply: (view: EditorView, _: unknown, from: number, to: number) => {
        view.dispatch({ changes: { from, to, insert: apply }, selection: { anchor: from + apply.length }, userEvent: 'input.complete' });
        // What was written wants something more: a value, or the first field.
        if (/[\s]$/.test(apply) && kind === 'property') setTimeout(() => startCompletion(view), 0);
      },
    })),
    validFor: /^[\w./*-]*$/,
  };
}

const hover = hoverTooltip((view, pos) => {
  const line = view.state.doc.lineAt(pos);
  const match = /^( *(?:- +)*)([A-Za-z]\w*):/.exec(line.text);
  const [, lead = '', field = ''] = match ?? [];
  const from = line.from + lead.length;
  const doc = docOf(field);
  if (!doc || pos < from || pos > from + field.length) return null;
  return {
    pos: from,
    end: from + field.length,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'cm-doc';
      dom.textContent = doc;
      return { dom };
    },
  };
});

export function completion(around: () => Around): Extension {
  return [
    autocompletion({ override: [(context) => complete(context, around)], icons: false, maxRenderedOptions: 60 }),
    Prec.high(keymap.of(completionKeymap)),
    hover,
  ];
}
