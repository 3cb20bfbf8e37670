import { Connection, type RequestHeaders } from '../client/connection';
import { HistoryCollection } from '../client/history';
import type { Resource } from '../runtime/resource';
import type { CommandLine } from './command-line';
import { findKind, findVersion, UsageError, type CtlDefinition, type CtlKind, type Io } from './definition';
import { printable } from './output';

/**
 * The start of the names of a service's variables: `device-service` has DEVICE_SERVICE_SERVER and
 * DEVICE_SERVICE_TOKEN.
 */
export function environmentPrefix({ service }: CtlDefinition): string {
  return service
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_')
    .replace(/^(?=\d)/, '_');
}

/** What a command works with. */
export class Session {
  readonly connection: Connection;

  /** Throws UsageError for options that are wrong. */
  constructor(
    readonly definition: CtlDefinition,
    readonly line: CommandLine,
    readonly io: Io,
  ) {
    const { options } = line;
    const prefix = environmentPrefix(definition);
    const baseUrl = options.server ?? (io.env[`${prefix}_SERVER`] || 'http://localhost:8080');
    if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl))
      throw new UsageError(`the server ${JSON.stringify(baseUrl)} is no http or https address`);
    const token = io.env[`${prefix}_TOKEN`];
    this.connection = new Connection({
      baseUrl,
      headers: { Authorization: token && `Bearer ${token}`, ...headersOf(options.header ?? []) },
      timeoutMs: secondsOf(options.timeout) * 1_000,
      onWarning: (text) => io.stderr.write(`warning: ${printable(text)}\n`),
    });
  }

  /** The kind that the first argument names. */
  kind(name = this.line.args[0]!): CtlKind {
    return findKind(this.definition, name);
  }

  /** The resources of a kind in the version that is asked for. */
  collection(kind: CtlKind, version = this.line.options['api-version']): HistoryCollection<Resource> {
    const address = `${kind.group}/${findVersion(kind, version)}/${kind.plural}`;
    return new HistoryCollection<Resource>(this.connection, address);
  }

  print(text: string): void {
    this.io.stdout.write(text);
  }
}

function headersOf(lines: string[]): RequestHeaders {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(line) ?? [];
      if (name === undefined) throw new UsageError(`a header is "Name: text", not ${JSON.stringify(line)}`);
      return [name, value];
    }),
  );
}

function secondsOf(text = '30'): number {
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new UsageError(`--timeout is a number of seconds, not ${JSON.stringify(text)}`);
  return Number(text);
}
