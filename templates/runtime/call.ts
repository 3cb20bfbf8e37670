import type { Request, Response } from 'express';
import type { DeprecationNotice } from './deprecation';
import type { KindDefinition } from './kind';

/** One request to a kind's endpoint, its path taken apart. */
export interface Call {
  req: Request;
  res: Response;
  kind: KindDefinition;
  /** The version of an `/apis/<group>/<version>/` URL; undefined for the short form. */
  urlVersion: string | undefined;
  /** Empty for the collection. */
  uid: string;
  /** Empty but for `/versions/<versionId>`. */
  versionId: string;
  /** What follows the `?`; empty without one. */
  query: string;
  /** What answers of the group's deprecated versions say, by version; absent where there are none. */
  notices?: { [version: string]: DeprecationNotice };
  /** What the answer says in `Warning` headers. */
  warnings: string[];
}

/** Answers one request; what it throws becomes a problem answer. */
export type Handler = (call: Call) => void | Promise<void>;

/** The methods of one path. HEAD and OPTIONS follow from them. */
export type MethodTable = { [method in 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE']?: Handler };
