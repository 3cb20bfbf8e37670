import type { Request, Response } from 'express';
import type { KeyedRequest } from '../../idempotency/keyed-request';
import type { FieldManager } from '../../model/field-manager';
import type { KindDefinition } from '../../model/kinds/kind';

/** Headers of every response in a deprecated version, except `Link`. */
export interface DeprecationNotice {
  /** RFC 9745: `@` and seconds since 1970. */
  deprecation: string;
  /** RFC 8594: an HTTP-date. */
  sunset: string | undefined;
  /** RFC 9111, section 5.5. */
  warning: string;
}

/** One request to an endpoint of a kind, with its path taken apart. */
export interface RequestContext {
  req: Request;
  res: Response;
  kind: KindDefinition;
  /** The version of an `/apis/<group>/<version>/` URL; undefined for the short form. */
  urlVersion: string | undefined;
  /** Empty for the collection. */
  uid: string;
  /** Empty except below `/versions/<versionId>`. */
  versionId: string;
  /** The part of the URL after `?`; empty without one. */
  query: string;
  /** Headers of responses in the group's deprecated versions, by version; absent where there are none. */
  notices?: { [version: string]: DeprecationNotice };
  /** Texts of the response's `Warning` headers. */
  warnings: string[];
  /** Set for a dry run: everything is checked, and nothing is written. */
  dryRun?: boolean;
  /** Set for a client that names the manager of the fields that it writes. */
  manager?: FieldManager;
  /** Set for a create with an Idempotency-Key. */
  keyed?: KeyedRequest;
  /** Set for a large body, so that work on it yields to other requests. */
  large?: boolean;
}

/** Responds to one request; an error that it throws becomes a problem response. */
export type Handler = (call: RequestContext) => void | Promise<void>;

/** The methods of one path. HEAD and OPTIONS follow from them. */
export type MethodTable = { [method in 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE']?: Handler };
