import { createHash } from 'node:crypto';
import type { Page } from '../../http/responses/page';
import { jsonResponse, once, staticPages, staticResponse } from '../../http/responses/static-response';
import { kindsIn } from '../discovery/groups';
import { type Face, ROOT } from '../face/face';
import { versionDocument } from './document';
import { emptyV2 } from './empty-v2';

/** Returns the OpenAPI documents, by path: an index, and one document for each version. Each is made on its first request. */
export function openApiPages(face: Face): Map<string, Page> {
  const documents = face.service.definition.groups.flatMap(({ name: group, versions }) =>
    versions.map((version) => ({
      path: `apis/${group}/${version}`,
      text: once(() =>
        JSON.stringify(versionDocument(face, { group, version }, kindsIn(face.kinds, group, version))),
      ),
    })),
  );
  // Clients put the start of the service's own URL in front.
  const index = (): object => ({
    paths: Object.fromEntries(
      documents.map(({ path, text }) => [
        path,
        { serverRelativeURL: `/openapi/v3/${path}?hash=${digestOf(text())}` },
      ]),
    ),
  });
  const pages = {
    [`/${ROOT}/openapi/v3`]: () => jsonResponse(index()),
    ...Object.fromEntries(
      documents.map(({ path, text }) => [
        `/${ROOT}/openapi/v3/${path}`,
        () => staticResponse('application/json', text()),
      ]),
    ),
  };
  return new Map([...Object.entries(staticPages(pages)), [`/${ROOT}/openapi/v2`, emptyV2]]);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').toUpperCase();
}
