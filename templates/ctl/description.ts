import { stringify } from 'yaml';
import type { Resource, Snapshot } from '../runtime/model/resource';
import { age, printable, snapshotTable } from './output';

/** The number of snapshots in a description. */
export const NEWEST = 5;

/**
 * Returns a description of a resource for people. `snapshots` are its newest ones, the newest first; undefined for a kind
 * without a history.
 */
export function description(resource: Resource, snapshots: Snapshot[] | undefined, now: number): string {
  const { apiVersion, kind, metadata, spec, status } = resource;
  const time = (text: string): string => `${text} (${age(text, now)} ago)`;
  const texts = (map: { [key: string]: string } = {}): string[] =>
    Object.entries(map).map(([key, value]) => `${key}=${value}`);
  const { generateName, finalizers, ownerReferences, deletionTimestamp } = metadata;
  const optional: [title: string, lines: string[] | undefined][] = [
    ['Generate Name', generateName === undefined ? undefined : [generateName]],
    ['Finalizers', finalizers],
    ['Owners', ownerReferences?.map((owner) => `${owner.kind}/${owner.name} (${owner.uid})`)],
    ['Deletion', deletionTimestamp === undefined ? undefined : [time(deletionTimestamp)]],
  ];
  const head: [title: string, lines: string[]][] = [
    ['Name', [metadata.name]],
    ['UID', [metadata.uid]],
    ['Kind', [`${kind} (${apiVersion})`]],
    ['Created', [time(metadata.createdAt)]],
    ['Updated', [time(metadata.updatedAt)]],
    ['Generation', [String(metadata.generation)]],
    ['Labels', texts(metadata.labels)],
    ['Annotations', texts(metadata.annotations)],
    ...optional.flatMap(([title, lines]): [string, string[]][] =>
      lines === undefined ? [] : [[title, lines]],
    ),
  ];
  const width = Math.max(...head.map(([title]) => title.length)) + 3;
  const lines = head.flatMap(([title, [first = '-', ...rest]]) => [
    `${title}:`.padEnd(width) + first,
    ...rest.map((line) => ' '.repeat(width) + line),
  ]);
  lines.push(...section('Spec', stringify(spec, { lineWidth: 0 })));
  if (status !== undefined) lines.push(...section('Status', stringify(status, { lineWidth: 0 })));
  if (snapshots !== undefined && snapshots.length > 0) {
    const isPart = snapshots.length > NEWEST;
    const shown = snapshots.slice(0, NEWEST).reverse();
    lines.push(...section(`Versions${isPart ? ` (the newest ${NEWEST})` : ''}`, snapshotTable(shown, now)));
  }
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function section(title: string, text: string): string[] {
  return [
    `${title}:`,
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
  ];
}
