import { represent } from '../../api/reads/representation';
import type { KindDefinition } from '../../model/kinds/kind';
import type { StoredText } from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import { mayHoldFormerId } from '../../model/versions/version-id';
import type { LoggedEvent } from './logged-event';

/**
 * Returns the whole event as JSON text, its resource in a version of the kind: the stored text where it has this
 * version already. A resource that cannot be converted, because the storage version has changed since, stays as it was
 * written. Its `apiVersion` says so, and consumers of events get past it.
 */
export function textInVersion(event: LoggedEvent, kind: KindDefinition, version: string): string {
  if (
    event.apiVersion === `${kind.group}/${version}` &&
    !mayHoldFormerId(kind, { version, text: event.text })
  )
    return event.text;
  return event.once(version, () => converted(event, kind, version));
}

/** Returns the resource of an event as JSON text in a version of the kind, with the same exception. */
export function resourceTextInVersion(event: LoggedEvent, kind: KindDefinition, version: string): string {
  const { state } = event;
  if (state.version === version && !mayHoldFormerId(kind, state)) return state.text;
  return event.once(`resource in ${version}`, () => stateInVersion(kind, state, version));
}

/** Returns a stored state as JSON text in a version of the kind; one that cannot be converted stays as it was written. */
export function stateInVersion(kind: KindDefinition, state: StoredText, version: string): string {
  try {
    return represent(kind, { uid: '', etag: '', ...state }, version).text;
  } catch {
    return state.text;
  }
}

/** The start of every event's text. */
const START = '{"specversion":"1.0",';

/**
 * Returns an event as JSON text with the attribute that says that its write took the resource out of a selection. `text` is
 * the event in the version of the selection.
 */
export function textOfLeaving(event: LoggedEvent, text: string, version: string): string {
  return event.once(`${version} left`, () => `${START}"selection":"left",${text.slice(START.length)}`);
}

function converted(event: LoggedEvent, kind: KindDefinition, version: string): string {
  const whole = event.parse();
  const { state } = event;
  const text = stateInVersion(kind, state, version);
  if (text === state.text) return event.text;
  whole.data.resource = JSON.parse(text) as Resource;
  return JSON.stringify(whole);
}
