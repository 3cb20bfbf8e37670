import { EventStream } from '../client/events';
import type { ResourceEvent } from '../client/resource-event';
import type { Resource } from '../runtime/model/resource';
import { findVersion } from './definition';
import { escaped, formatOf, isTable, printable, serialised } from './output';
import type { Session } from './session';

/** Prints the changes of resources as they happen: a command of services that publish events. */
export async function watch(session: Session): Promise<number> {
  const { args, options } = session.line;
  const format = formatOf(options.output);
  const kinds = args.map((name) => session.kind(name));
  const asked = options['api-version'];
  let losses = 0;
  const stream = new EventStream<ResourceEvent<string, Resource>>(session.connection, {
    kinds: kinds.map(({ group, kind }) => `${group}/${kind}`),
    labelSelector: options.selector,
    fieldSelector: options.where,
    version: asked === undefined ? undefined : (kinds.map((kind) => findVersion(kind, asked))[0] ?? asked),
    lastEventId: options.from,
    onOpen: () => (losses = 0),
    onLost: () => {
      losses += 1;
      if (losses === 2) session.warn('the service does not respond; the watch goes on when it does');
    },
  });
  for await (const event of stream) {
    if (format === 'json') session.print(escaped(`${JSON.stringify(event)}\n`));
    else session.print(isTable(format) ? eventLine(event) : `---\n${serialised(event, format)}`);
  }
  return 0;
}

/** Returns an event as a line, with the phase and the readiness that many kinds have. */
export function eventLine({ time, data, selection }: ResourceEvent<string, Resource>): string {
  const { action, metadata, resourceKind, resourceUID, resourceName, resource } = data;
  const what = selection ?? (metadata.updateType === 'status' ? 'status' : action);
  const { phase, ready } = resource.status ?? {};
  // A kind may have a phase of any type.
  const state = [
    typeof phase === 'string' ? phase : JSON.stringify(phase),
    ready === undefined ? undefined : `ready=${JSON.stringify(ready)}`,
  ];
  const texts = [time, what.padEnd(7), resourceKind, resourceUID, resourceName, ...state];
  return `${printable(texts.filter((text) => text !== undefined).join('  '))}\n`;
}
