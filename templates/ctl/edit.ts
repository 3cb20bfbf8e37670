import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { withRemoved } from '../client/collection';
import { ApiError } from '../client/errors';
import { decodeText } from '../runtime/files/regular-file';
import type { Resource } from '../runtime/model/resource';
import { CommandFailure, type Io, UsageError } from './definition';
import { desiredOf, isSame } from './desired';
import { parseValue, type ResourceDocument, resourceOf } from './documents';
import { explain } from './explain';
import { serialised } from './output';

const INTRODUCTION = ['Save and close to apply your changes; an unchanged file is not sent.'];

/**
 * Lets the user edit a resource in an editor and sends the changes with `send`. A refused edit is opened again with the
 * failures as comments. Returns undefined when nothing was changed. Throws CommandFailure where the user gives up, with
 * the file that holds the edit.
 */
export async function editResource(
  current: Resource,
  { env }: Pick<Io, 'env'>,
  send: (document: ResourceDocument) => Promise<Resource>,
): Promise<Resource | undefined> {
  const { apiVersion, kind } = current;
  const file = join(await newFolder(), 'edit.yaml');
  let body = serialised({ apiVersion, kind, ...desiredOf(current) }, 'yaml');
  let comments = INTRODUCTION;
  for (;;) {
    const opened = body;
    await writeFile(file, comments.map((line) => `# ${line}\n`).join('') + opened);
    await runEditor(env['EDITOR'] || 'vi', file);
    // An editor that is a script may change the comments too, each time.
    body = editedText(await readFile(file), file).replace(/^(?:#.*\r?\n)+/, '');
    const first = comments === INTRODUCTION;
    if (body === opened || body.trim() === '') {
      if (!first) throw new CommandFailure(`nothing was sent; the edit is saved in ${file}`);
      await rm(dirname(file), { recursive: true });
      return undefined;
    }
    try {
      const document = documentOf(body, current);
      const after = isSame(desiredOf(document), desiredOf(current)) ? undefined : await send(document);
      await rm(dirname(file), { recursive: true });
      return after;
    } catch (error) {
      const isCorrectable = error instanceof ApiError && error.status === 400;
      if (!isCorrectable && !(error instanceof UsageError))
        throw new CommandFailure(`${explain(error)}nothing was written; the edit is saved in ${file}`);
      comments = explain(error).trimEnd().split('\n');
    }
  }
}

/** Makes a folder that only the user can read. Throws CommandFailure. */
async function newFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'ctl-edit-'));
  } catch (error) {
    throw new CommandFailure(`no file can be made for the editor: ${(error as Error).message}`);
  }
}

/** Reads the file that the user saved. Throws UsageError. */
function documentOf(text: string, { apiVersion, kind, metadata }: Resource): ResourceDocument {
  const document = resourceOf(parseValue(text, 'the edit'), 'the edit');
  if (document.apiVersion !== apiVersion || document.kind !== kind)
    throw new UsageError(`apiVersion and kind must not change: ${apiVersion}, ${kind}`);
  return { ...document, metadata: withRemoved(desiredOf(document).metadata, metadata) };
}

/** Returns the text that the user saved. Bytes that are no text would be sent as other characters. Throws CommandFailure. */
function editedText(bytes: Buffer, file: string): string {
  try {
    return decodeText(bytes);
  } catch (error) {
    throw new CommandFailure(
      `the edit ${(error as Error).message}; nothing was sent, it is saved in ${file}`,
    );
  }
}

/** Runs an editor, which may have arguments, until it is closed. Throws CommandFailure. */
async function runEditor(editor: string, file: string): Promise<void> {
  const child = spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new CommandFailure(
      `the editor ${editor} ended with ${code ?? 'a signal'}; nothing was sent, ${file} is unchanged`,
    );
}
