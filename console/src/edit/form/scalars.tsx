import type { JSX, TargetedInputEvent } from 'preact';
import { useState } from 'preact/hooks';
import { resolved, type Shape } from '../../../../templates/runtime/model/fields/shape';
import { type Maybe, same } from '../../../../templates/runtime/model/fields/values';
import { isRounded } from '../../../../templates/runtime/model/rounding';
import type { Json } from '../../../../templates/runtime/model/schema';
import { parseExactly } from '../../data/exact-json';
import { Text, UNSEEN } from '../../parts/text';
import { idOf, useForm } from './form-context';

/** One value of a form. */
export interface ControlProps {
  value: Maybe;
  shape: Shape | undefined;
  pointer: string;
  /** The accessible name, where no label element names it. */
  title?: string;
  isRequired: boolean;
  /** How deep it nests. */
  depth: number;
  /** undefined removes the field. */
  onChange: (value: Maybe) => void;
}

/** Longer strings are edited only on demand: a field for a megabyte slows the page down. */
const LONG = 50_000;

/** Maximum height of an area in lines; the rest is scrolled to. */
const MOST_ROWS = 12;

/** Attributes that every kind of field has. */
interface FieldAttributes {
  id: string;
  'aria-label': string | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
  'aria-required': true | undefined;
  disabled: boolean;
}

function useAttributes({ pointer, title, isRequired }: ControlProps): FieldAttributes {
  const { failures, isBusy } = useForm();
  const id = idOf(pointer);
  const hasFailed = failures.has(pointer);
  return {
    id,
    'aria-label': title,
    'aria-invalid': hasFailed || undefined,
    'aria-describedby': hasFailed ? `${id}-failures` : undefined,
    'aria-required': isRequired || undefined,
    disabled: isBusy,
  };
}

/** A string, on one line or several. */
export function TextControl(props: ControlProps): JSX.Element {
  const { value, shape, onChange } = props;
  const attributes = useAttributes(props);
  const [isOpen, setOpen] = useState(false);
  // A field that became another one while somebody types would lose the focus.
  const [isArea, setArea] = useState(false);
  const text = typeof value === 'string' ? value : '';
  const { default: preset, maxLength = Infinity, minLength = 0, format, pattern } = resolved(shape!);
  if (text.length > LONG && !isOpen)
    return <LongText value={text} name="text" onEdit={() => setOpen(true)} />;
  const isLine =
    !isArea && !/[\r\n]/.test(text) && (maxLength <= 100 || format !== undefined || pattern !== undefined);
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>): void => {
    setArea(!isLine);
    onChange(currentTarget.value === '' && minLength > 0 ? undefined : likeBefore(currentTarget.value, text));
  };
  const shared = {
    ...attributes,
    value: text,
    placeholder: placeholder(value, preset),
    dir: 'auto',
    spellcheck: false,
    onInput,
  } as const;
  return (
    <>
      {isLine ? (
        <input type="text" autocomplete="off" {...shared} />
      ) : (
        <textarea rows={rowsOf(text)} {...shared} />
      )}
      {text.search(UNSEEN) >= 0 && (
        <p class="hint">
          With unseen characters: <Text value={text} longest={300} />
        </p>
      )}
    </>
  );
}

interface LongTextProps {
  value: string;
  name: string;
  onEdit: () => void;
}

function LongText({ value, name, onEdit }: LongTextProps): JSX.Element {
  return (
    <div class="long-text">
      <Text value={value} longest={300} />
      <button type="button" onClick={onEdit}>
        Edit this {name}
      </button>
    </div>
  );
}

/** Returns the height of an area in lines, for browsers that do not fit it to its text. */
function rowsOf(text: string): number {
  return Math.min(text.split('\n').length, MOST_ROWS);
}

/** A browser's field knows only one kind of line ends. */
function likeBefore(text: string, before: string): string {
  return before.includes('\r\n') ? text.replace(/\n/g, '\r\n') : text;
}

function placeholder(value: Maybe, preset: Json | undefined): string {
  if (value === '') return 'empty text';
  return preset === undefined ? 'not set' : `not set: ${JSON.stringify(preset)} by default`;
}

/** A date and time. */
export function TimeControl(props: ControlProps): JSX.Element {
  const { onChange } = props;
  const { isBusy } = useForm();
  return (
    <div class="with-button">
      <TextControl {...props} />
      <button type="button" disabled={isBusy} onClick={() => onChange(new Date().toISOString())}>
        Now
      </button>
    </div>
  );
}

/** A number; another text is held until it is one. */
export function NumberControl(props: ControlProps): JSX.Element {
  const { value, shape, pointer, onChange } = props;
  const attributes = useAttributes(props);
  const { held, hold } = useForm();
  const [typed, setTyped] = useState('');
  const heldText = Object.hasOwn(held, pointer) ? held[pointer] : undefined;
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>): void => {
    const text = currentTarget.value.trim();
    setTyped(currentTarget.value);
    const read = readNumber(text);
    if ('failure' in read) return hold(pointer, text);
    if (heldText !== undefined) hold(pointer, undefined);
    if (read.value !== value) onChange(read.value);
  };
  const shown = typed.trim() !== '' && Number(typed) === value ? typed : String(value ?? '');
  return (
    <>
      <input
        type="text"
        inputmode="decimal"
        autocomplete="off"
        class="short"
        {...attributes}
        value={heldText ?? shown}
        placeholder={placeholder(value, resolved(shape!).default)}
        onInput={onInput}
      />
      <HeldFailure text={heldText} read={readNumber} />
    </>
  );
}

/** The value that a text is read as, undefined for none; or why it is held back. */
type Read = { value: Maybe } | { failure: string };

interface HeldFailureProps {
  text: string | undefined;
  read: (text: string) => Read;
}

function HeldFailure({ text, read }: HeldFailureProps): JSX.Element | null {
  if (text === undefined) return null;
  const result = read(text);
  return 'failure' in result ? <p class="failure">{result.failure}</p> : null;
}

function readNumber(text: string): Read {
  if (text === '') return { value: undefined };
  const value = Number(text);
  if (!Number.isFinite(value)) return { failure: 'This is not a number' };
  return isRounded(text) ? { failure: `This would be stored as ${value}` } : { value };
}

/** One of several values. */
export function ChoiceControl(props: ControlProps): JSX.Element {
  const { value, shape, isRequired, onChange } = props;
  const attributes = useAttributes(props);
  const { enum: values = [true, false], default: preset } = resolved(shape!);
  const index = values.findIndex((each) => each === value);
  const other = index < 0 && value !== undefined;
  return (
    <select
      {...attributes}
      value={value === undefined ? 'none' : other ? 'other' : String(index)}
      onChange={({ currentTarget }) => onChange(values[Number(currentTarget.value)])}
    >
      {(value === undefined || !isRequired) && (
        <option value="none">{preset === undefined ? 'not set' : `not set: ${String(preset)}`}</option>
      )}
      {other && <option value="other">{String(value)} (not allowed)</option>}
      {values.map((each, index) => (
        <option key={index} value={String(index)}>
          {String(each)}
        </option>
      ))}
    </select>
  );
}

/** Any value, as JSON; a text that is none is held until it is. */
export function JsonControl(props: ControlProps): JSX.Element {
  const { value, pointer, onChange } = props;
  const attributes = useAttributes(props);
  const { held, hold } = useForm();
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const heldText = Object.hasOwn(held, pointer) ? held[pointer] : undefined;
  const stored = value === undefined ? '' : JSON.stringify(value, null, 2);
  if (stored.length > LONG && !isOpen)
    return <LongText value={stored} name="JSON" onEdit={() => setOpen(true)} />;
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLTextAreaElement>): void => {
    const text = currentTarget.value;
    setTyped(text);
    const read = readJson(text);
    if ('failure' in read) return hold(pointer, text);
    if (heldText !== undefined) hold(pointer, undefined);
    if (!same(read.value, value)) onChange(read.value);
  };
  const own = typed === undefined ? undefined : readJson(typed);
  // An element is null while its field is empty.
  const isOwn = own !== undefined && 'value' in own && same(own.value ?? null, value ?? null);
  const shown = heldText ?? (isOwn ? typed! : stored);
  return (
    <>
      <textarea
        rows={rowsOf(shown)}
        class="code"
        spellcheck={false}
        {...attributes}
        value={shown}
        placeholder='not set; JSON, such as "text" or 12'
        onInput={onInput}
      />
      <HeldFailure text={heldText} read={readJson} />
    </>
  );
}

function readJson(text: string): Read {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: parseExactly(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) return { failure: (error as Error).message };
    return { failure: 'This is not JSON: a text needs quotation marks' };
  }
}
