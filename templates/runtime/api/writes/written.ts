import type { OutgoingHttpHeaders } from 'node:http';
import { pathOf } from '../../http/request/request-target';
import { send } from '../../http/responses/respond';
import type { Stored, StoredText } from '../../model/kinds/versioning';
import type { NewState, StoredResource } from '../../store/store';
import { resourceHeaders } from '../reads/reading';
import { represent } from '../reads/representation';
import type { RequestContext } from '../request/request-context';

/** The response to a write: the stored resource, in the version that the client speaks. */
export interface Written {
  status: 200 | 201 | 202;
  headers: OutgoingHttpHeaders;
  text: string;
  uid: string;
  /** The resource as it is stored then. */
  state: StoredText;
  /** The resource before; absent on create. */
  before?: StoredResource;
}

/**
 * Returns the response to a write. Everything that could fail happens here, before the write: a later error would claim
 * that nothing was written.
 */
export function writtenResponse(
  context: RequestContext,
  status: 200 | 201,
  state: NewState,
  version: string,
): Written {
  const response = unwrittenResponse(context, state, version);
  if (status === 201) response.headers['Location'] = `${collectionPath(context, version)}/${state.uid}`;
  return { ...response, status };
}

/** Returns the response with a resource that stays as it is stored. */
export function unwrittenResponse(
  { kind, warnings }: RequestContext,
  stored: Stored,
  version: string,
): Written {
  const { text, etag } = represent(kind, stored, version);
  const headers = resourceHeaders(text, etag, warnings);
  return { status: 200, headers, text, uid: stored.uid, state: stored };
}

/** Sends the response to a write. */
export function sendWritten({ req, res }: RequestContext, { status, headers, text }: Written): void {
  send(req, res, status, headers, text);
}

/** Returns the path of the collection of a create, in the version of the body where the path names an unknown one. */
function collectionPath({ req, kind, urlVersion, uidOrName }: RequestContext, version: string): string {
  const whole = pathOf(req).replace(/\/$/, '');
  const path = uidOrName === '' ? whole : whole.slice(0, whole.lastIndexOf('/'));
  if (urlVersion === undefined || kind.servedVersions.includes(urlVersion)) return path;
  return path.replace(/[^/]+(?=\/[^/]+$)/, version);
}
