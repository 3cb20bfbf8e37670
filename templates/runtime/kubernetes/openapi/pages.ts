import { hash } from 'node:crypto';
import type { Page } from '../../http/responses/page';
import {
  jsonResponse,
  once,
  sendStatic,
  staticPages,
  staticResponse,
} from '../../http/responses/static-response';
import { kindsIn } from '../discovery/groups';
import { type Face, ROOT } from '../face/face';
import { acceptedRanges, isJson } from '../objects/form';
import { versionDocument } from './document';

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
        { serverRelativeURL: `/openapi/v3/${path}?hash=${hash('sha256', text(), 'hex').toUpperCase()}` },
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

const SWAGGER = '2.0';
const VARY = { Vary: 'Accept' };

const V2_JSON = staticResponse(
  'application/json',
  JSON.stringify({ swagger: SWAGGER, info: { title: 'Kubernetes', version: '' }, paths: {} }),
  VARY,
);

/** The field 1 of a document is its version. */
const V2_PROTOBUF = staticResponse(
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  Buffer.from([0x0a, SWAGGER.length, ...Buffer.from(SWAGGER)]),
  VARY,
);

/**
 * `GET /openapi/v2`: a document of no kinds. kubectl reads it before it writes a manifest of the kind List, and up to 1.28
 * before each write. It then leaves the validation of all kinds that are not in the document to the service.
 */
const emptyV2: Page = (req, res) => {
  const asksJson = acceptedRanges(req.headers.accept).some(isJson);
  return sendStatic(req, res, asksJson ? V2_JSON : V2_PROTOBUF);
};
