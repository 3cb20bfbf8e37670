import { Connection, type RequestHeaders } from '../client/connection';
import { HistoryCollection } from '../client/history';
import type { CommandLine } from './command-line';
import {
  type CtlCollection,
  type CtlDefinition,
  type CtlKind,
  findKind,
  findVersion,
  type Io,
  UsageError,
} from './definition';
import { NamedResources } from './named-resources';
import { printable } from './output';
import { environmentPrefix, keyVariables } from './variables';

/** The context of a command. */
export class Session {
  readonly connection: Connection;
  readonly names = new NamedResources();

  /** Throws UsageError for wrong options. */
  constructor(
    readonly definition: CtlDefinition,
    readonly line: CommandLine,
    readonly io: Io,
  ) {
    const { options } = line;
    const prefix = environmentPrefix(definition);
    const baseUrl = options.server ?? (io.env[`${prefix}_SERVER`] || 'http://localhost:8080');
    if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl))
      throw new UsageError(`the server ${JSON.stringify(baseUrl)} is not an http or https URL`);
    if (/[?#]|\/\/[^/]*@/.test(baseUrl))
      throw new UsageError(
        'the URL of the server must have no user, query or fragment; -H sends credentials',
      );
    const token = options.token ?? io.env[`${prefix}_TOKEN`];
    const warned = new Set<string>();
    this.connection = new Connection({
      baseUrl,
      headers: sendable({
        Authorization: token && `Bearer ${token}`,
        ...Object.fromEntries(
          keyVariables(definition).map(([variable, header]) => [header, io.env[variable]]),
        ),
        ...headersOf(options.header ?? []),
      }),
      timeoutMs: secondsOf(options.timeout) * 1_000,
      onWarning: (text) => {
        // A command of many requests gets the same one with each response.
        if (!warned.has(text)) this.warn(text);
        warned.add(text);
      },
    });
  }

  /** Returns the kind that the first argument names. */
  kind(name = this.line.args[0]): CtlKind {
    return findKind(this.definition, name);
  }

  /** Returns the resources of a kind in the requested version. */
  collection(kind: CtlKind, version = this.line.options['api-version']): CtlCollection {
    const address = `${kind.group}/${findVersion(kind, version)}/${kind.plural}`;
    return new HistoryCollection(this.connection, address);
  }

  /** Options of every write. */
  get writing(): { dryRun?: boolean } {
    return { dryRun: this.line.options['dry-run'] };
  }

  /** Prints the result of a command for a resource. */
  report(kind: CtlKind, uid: string, what: string): void {
    this.print(`${printable(`${kind.plural}/${uid} ${what}`)}${this.writing.dryRun ? ' (dry run)' : ''}\n`);
  }

  /** Prints a warning on standard error. */
  warn(text: string): void {
    this.io.stderr.write(`warning: ${printable(text)}\n`);
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

/** Throws UsageError for a header that cannot be sent. The message leaves out its value, which may be secret. */
function sendable(headers: RequestHeaders): RequestHeaders {
  for (const [name, value = ''] of Object.entries(headers))
    try {
      new Headers().set(name, value);
    } catch {
      throw new UsageError(`the header ${name} has characters that no header may have`);
    }
  return headers;
}

function secondsOf(text = '30'): number {
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new UsageError(`--timeout is a number of seconds, not ${JSON.stringify(text)}`);
  return Number(text);
}
