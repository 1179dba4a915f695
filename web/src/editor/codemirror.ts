// The editor proper; a chunk of its own, loaded when the page stands.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import type { TextIssue } from '../scenario/types';
import { completion } from './complete';
import type { Around } from './propose';

export interface Editor {
  setText(text: string): void;
  setIssues(issues: TextIssue[]): void;
  reveal(from: number, to: number): void;
  destroy(): void;
}

export function makeEditor(parent: HTMLElement, label: string, empty: string, text: string, around: () => Around, onChange: (text: string) => void): Editor {
  let silent = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        placeholder(empty),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of('  '),
        bracketMatching(),
        highlightActiveLine(),
        yaml(),
        syntaxHighlighting(classHighlighter),
        lintGutter(),
        completion(around),
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !silent) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  // A message below makes the editor less high: the line that somebody is writing stays in sight.
  let height = 0;
  const resized = new ResizeObserver(() => {
    const before = height;
    height = view.scrollDOM.clientHeight;
    if (!view.hasFocus || height >= before) return;
    const { head } = view.state.selection.main;
    const line = view.coordsAtPos(head);
    const { top } = view.scrollDOM.getBoundingClientRect();
    if (line && line.bottom > top + height && line.top < top + before) view.dispatch({ effects: EditorView.scrollIntoView(head, { y: 'end' }) });
  });
  resized.observe(view.scrollDOM);
  const clamp = (offset: number) => Math.max(0, Math.min(offset, view.state.doc.length));
  return {
    setText(next) {
      const old = view.state.doc.toString();
      if (old === next) return;
      // Only what differs is replaced, so that the cursor and the scroll position stay.
      let from = 0;
      while (from < old.length && from < next.length && old[from] === next[from]) from++;
      let end = 0;
      while (end < old.length - from && end < next.length - from && old[old.length - 1 - end] === next[next.length - 1 - end]) end++;
      silent = true;
      view.dispatch({ changes: { from, to: old.length - end, insert: next.slice(from, next.length - end) } });
      silent = false;
    },
    setIssues(issues) {
      const diagnostics: Diagnostic[] = issues.map(({ from, to, severity, message }) => {
        const start = clamp(from);
        return { from: start, to: Math.max(start, clamp(to)), severity, message };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    reveal(from, to) {
      view.dispatch({
        selection: { anchor: clamp(from), head: clamp(to) },
        effects: EditorView.scrollIntoView(clamp(from), { y: 'center' }),
      });
      view.focus();
    },
    destroy: () => {
      resized.disconnect();
      view.destroy();
    },
  };
}
