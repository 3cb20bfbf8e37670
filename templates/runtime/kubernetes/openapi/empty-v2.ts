import type { Page } from '../../http/responses/page';
import { sendStatic, staticResponse } from '../../http/responses/static-response';
import { acceptedRanges, isJson } from '../objects/form';

const VERSION = '2.0';
const VARY = { Vary: 'Accept' };

const JSON_FORM = staticResponse(
  'application/json',
  JSON.stringify({ swagger: VERSION, info: { title: 'Kubernetes', version: '' }, paths: {} }),
  VARY,
);

/** The field 1 of a document is its version. */
const PROTOBUF_FORM = staticResponse(
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  Buffer.from([0x0a, VERSION.length, ...Buffer.from(VERSION)]),
  VARY,
);

/**
 * `GET /openapi/v2`: a document of no kinds. kubectl reads it before it writes a manifest of the kind List, and up to 1.28
 * before each write. It then leaves the validation of all kinds that are not in the document to the service.
 */
export const emptyV2: Page = (req, res) => {
  const asksJson = acceptedRanges(req.headers.accept).some(isJson);
  return sendStatic(req, res, asksJson ? JSON_FORM : PROTOBUF_FORM);
};
