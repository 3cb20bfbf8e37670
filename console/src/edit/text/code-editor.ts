import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import {
  bidiIsolates,
  bracketMatching,
  foldGutter,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Shape } from '../../../../templates/runtime/model/fields/shape';
import type { Notation } from '../../data/yaml';
import { completions } from './completion';
import type { TextFailure } from './text-draft';

export { placesOf, readText, writeText } from './text-draft';

/** A text editor on the page. */
export interface CodeEditor {
  /** Replaces the text; the same text changes nothing. */
  setText: (text: string) => void;
  setFailures: (failures: TextFailure[]) => void;
  setBusy: (isBusy: boolean) => void;
  close: () => void;
}

/** WebKit takes ten seconds to wrap a line of a megabyte: longer ones than this are scrolled sideways. */
const LONGEST_WRAPPED = 50_000;

function hasLongLine(text: string): boolean {
  return text.split('\n').some((line) => line.length > LONGEST_WRAPPED);
}

/** Options of an editor. */
export interface CodeEditorOptions {
  host: HTMLElement;
  text: string;
  notation: Notation;
  /** The accessible name. */
  title: string;
  shape: Shape;
  onChange: (text: string) => void;
}

/**
 * Opens a text editor. It lives in a shadow tree: there the library adds its styles as an adopted style sheet, which the
 * policy of the page allows, and not as an element.
 */
export function openEditor({ host, text, notation, title, shape, onChange }: CodeEditorOptions): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const busy = new Compartment();
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        ...BASICS,
        hasLongLine(text) ? [] : EditorView.lineWrapping,
        notation === 'json' ? json() : yaml(),
        autocompletion({ override: [completions(shape, notation)] }),
        busy.of([]),
        EditorView.contentAttributes.of({ 'aria-label': title, tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) onChange(state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText: (text) => {
      const { doc } = view.state;
      if (doc.toString() !== text) view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
    },
    setFailures: (failures) => view.dispatch(setDiagnostics(view.state, diagnostics(failures, view.state))),
    setBusy: (isBusy) =>
      view.dispatch({ effects: busy.reconfigure(isBusy ? [EditorState.readOnly.of(true)] : []) }),
    close: () => view.destroy(),
  };
}

function diagnostics(failures: TextFailure[], { doc }: EditorState) {
  const within = (position: number): number => Math.min(position, doc.length);
  return failures.map(({ from, to, message }) => ({
    from: within(from),
    // A long value is marked on its first line only.
    to: Math.min(within(to), doc.lineAt(within(from)).to),
    severity: 'error' as const,
    message,
  }));
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--link)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--calm-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--warn-text)' },
  { tag: [tags.comment, tags.lineComment, tags.meta], color: 'var(--soft)' },
]);

const THEME = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'var(--card)',
    border: '1px solid var(--line)',
    borderRadius: '0.5rem',
    fontSize: '0.8125rem',
  },
  '&.cm-focused': { outline: '2px solid var(--link)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', maxHeight: '70vh', minHeight: '12rem' },
  '.cm-gutters': { color: 'var(--soft)', backgroundColor: 'var(--card)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--code) 60%, transparent)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--link) 25%, transparent) !important',
  },
  '.cm-specialChar': { color: 'var(--warn-text)', backgroundColor: 'var(--warn)' },
  '.cm-tooltip, .cm-panels': {
    color: 'var(--text)',
    backgroundColor: 'var(--card)',
    border: '1px solid var(--line)',
    borderRadius: '0.375rem',
  },
  '.cm-panels': { fontFamily: 'var(--sans)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: 'var(--on-link)',
    backgroundColor: 'var(--link)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-completionDetail': { color: 'var(--soft)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-diagnostic': { fontFamily: 'var(--sans)', borderLeftColor: 'var(--error)', whiteSpace: 'pre-wrap' },
});

const BASICS: Extension[] = [
  lineNumbers(),
  foldGutter(),
  lintGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  bidiIsolates(),
  EditorView.perLineTextDirection.of(true),
  syntaxHighlighting(COLOURS),
  THEME,
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...completionKeymap,
    ...lintKeymap,
  ]),
];
