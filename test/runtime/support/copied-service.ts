import type { Project } from '../../../src/model/project';
import { createExamples } from '../../../src/render/client/create-examples';
import type { Resource } from '../../../templates/runtime/model/resource';
import { until } from '../events/devices';
import { openStream } from '../events/sse';
import { JSON_TYPE, MERGE, send } from './client';
import type { TestService } from './harness';

/** NUL, lone surrogates, what escapes look like, and characters of every length. */
export const ODD = '\0 \ud800 \udc00x \\u0000 " \t\n é 漢 \u{1F600}';

/** Paths of every version of a kind. */
function collections({ groups }: Project): { plural: string; paths: string[] }[] {
  return groups.flatMap(({ name, kinds }) =>
    kinds.map(({ plural, versions }) => ({
      plural,
      paths: [`/${plural}`, ...versions.map(({ version }) => `/apis/${name}/${version}/${plural}`)],
    })),
  );
}

/** Lives of resources of every kind: created, labelled, changed with and without a history, deleted. */
export async function fill({ port }: TestService, project: Project): Promise<void> {
  const ok = async (method: string, path: string, body?: unknown): Promise<string> => {
    const headers = method === 'PATCH' ? MERGE : JSON_TYPE;
    const { status, text } = await send(port, method, path, { headers, body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return text;
  };
  for (const { plural, body } of createExamples(project)) {
    if (body === undefined) continue;
    for (let n = 0; n < 5; n++) {
      const labels = {
        env: n % 2 === 0 ? 'prod' : 'dev',
        [ODD]: `${ODD}${n}`,
        [`long-${'k'.repeat(600)}`]: 'v',
      };
      const metadata = { name: `${plural}-${n}`, labels, annotations: { note: ODD } };
      const { metadata: made } = JSON.parse(
        await ok('POST', `/${plural}`, { ...body, metadata }),
      ) as Resource;
      const path = `/${plural}/${made.uid}`;
      if (n === 1) await ok('PATCH', path, { metadata: { labels: { env: 'test' } } });
      if (n === 2) await ok('PUT', path, body);
      if (n === 4) await ok('DELETE', path);
    }
  }
}

/** Returns every list, page, selection, resource and history in every version, with the headers that matter. */
export async function readers({ port }: TestService, project: Project): Promise<string[]> {
  const seen: string[] = [];
  const look = async (path: string): Promise<{ text: string; next: string | undefined }> => {
    const { status, headers, text } = await send(port, 'GET', path);
    const { etag, link, warning, 'last-modified': modified } = headers;
    // The tag of a list, which has no date, is that of a process.
    const tag = modified === undefined ? undefined : etag;
    seen.push(JSON.stringify([path, status, tag, modified, link, warning, text]));
    return { text: status === 200 ? text : '[]', next: /<([^>]*)>; rel="next"/.exec(String(link))?.[1] };
  };
  const selectors = ['env=prod', 'env!=prod', 'env in (dev,test)', '!env'];
  for (const { plural, paths } of collections(project)) {
    const resources = JSON.parse((await look(`/${plural}`)).text) as Resource[];
    for (const path of paths) {
      await look(path);
      for (const selector of selectors) await look(`${path}?labelSelector=${encodeURIComponent(selector)}`);
      await look(`${path}?label=long-${'k'.repeat(600)}`);
      for (let next: string | undefined = `${path}?limit=2`; next !== undefined;) {
        ({ next } = await look(next));
      }
      for (const { metadata } of resources) {
        await look(`${path}/${metadata.uid}`);
        const versions = JSON.parse((await look(`${path}/${metadata.uid}/versions`)).text) as {
          versionId?: string;
        }[];
        for (const each of versions.flatMap(({ versionId }) => versionId ?? []))
          await look(`${path}/${metadata.uid}/versions/${each}`);
      }
    }
  }
  await look('/events/dead-letters');
  return seen;
}

/** The events after a position, as a stream of the service has them, with their ids. */
export async function eventsAfter(
  { port }: TestService,
  position: string,
  count: number,
): Promise<unknown[]> {
  const stream = await openStream(port, '/events', { 'last-event-id': position });
  await until(() => stream.status !== 200 || stream.received.length >= count);
  stream.close();
  return stream.status === 200 ? stream.received : [stream.status];
}
