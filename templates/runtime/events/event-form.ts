import type { KindDefinition } from '../kind';
import { represent } from '../representation';
import type { Resource } from '../resource';
import type { JsonObject } from '../schema';
import type { LoggedEvent } from './logged-event';

/**
 * The whole event as JSON text, its resource in a version that the kind has: the stored text where it is in this
 * version already. What cannot be converted, because the hub was moved since, stays as it was written: its
 * `apiVersion` says so, and those who follow the events get past it.
 */
export function textInVersion(event: LoggedEvent, kind: KindDefinition, version: string): string {
  if (event.apiVersion === `${kind.group}/${version}`) return event.text;
  return event.once(version, () => converted(event, kind, version));
}

function converted(event: LoggedEvent, kind: KindDefinition, version: string): string {
  const whole = event.parse();
  const { resource } = whole.data;
  const stored = {
    uid: event.uid,
    version: resource.apiVersion.split('/').at(-1)!,
    text: JSON.stringify(resource),
    etag: '',
    kept: event.keptAside,
  };
  try {
    const { text } = represent(kind, stored, version);
    whole.data.resource = JSON.parse(text) as Resource<JsonObject, JsonObject>;
  } catch {
    return event.text;
  }
  return JSON.stringify(whole);
}
