import type { Request, Response } from 'express';
import type { KeyedRequest } from '../../idempotency/keyed-request';
import type { KindDefinition } from '../../model/kinds/kind';

/** One request to an endpoint of a kind, with its path taken apart. */
export interface RequestContext {
  req: Request;
  res: Response;
  kind: KindDefinition;
  /** The version of an `/apis/<group>/<version>/` URL; undefined for the short form. */
  urlVersion: string | undefined;
  /** The uid in the path or, in a kind with unique names, the uid or the name; empty for the collection. */
  uidOrName: string;
  /** Empty except below `/versions/<versionId>`. */
  versionId: string;
  /** The part of the URL after `?`; empty without one. */
  query: string;
  /** Called with the version in the URL and with the one that the request speaks; absent where none is deprecated. */
  onVersion?: OnVersion;
  /** Texts of the response's `Warning` headers. */
  warnings: string[];
  /** Set for a dry run: everything is checked, and nothing is written. */
  dryRun?: boolean;
  /** Set for a create with an Idempotency-Key. */
  keyed?: KeyedRequest;
  /** Set for a large body, so that work on it yields to other requests. */
  large?: boolean;
}

/** Adds the headers that a version requires to the response to a request. */
export type OnVersion = (context: RequestContext, version: string) => void;

declare module '../../service/service' {
  interface Additions {
    /** Absent in a service whose kinds have one version. */
    onVersion?(kind: KindDefinition): OnVersion | undefined;
  }
}

/** Responds to one request; an error that it throws becomes a problem response. */
export type Handler = (context: RequestContext) => void | Promise<void>;

/** The methods of one path. HEAD and OPTIONS follow from them. */
export type MethodTable = { [method in 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE']?: Handler };
