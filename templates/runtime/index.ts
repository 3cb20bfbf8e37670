/**
 * The public entry point of the runtime: the names that a service's own files may import, through `src/generated`.
 * Every other module may change with the next release of svcgen.
 */
export { setActor, setIdentified } from './http/security/actor';
export type {
  CustomFailure,
  Decision,
  KindDefinition,
  Policy,
  PolicyContext,
  ValidationContext,
} from './model/kinds/kind';
export type { ServiceDefinition } from './service/definition';
export type { ReadOptions, ReadQuery, ResourceReader } from './model/kinds/reader';
export { requestTarget } from './http/request/request-target';
export type { Metadata, Resource, Snapshot } from './model/resource';
export { setLabelScope } from './api/request/label-scope';
export { isOpenPage } from './http/security/guard';
export { serve } from './serve';
export { openService } from './open-service';
export type { Service } from './service/service';
export { loadEnvironment } from './settings/environment-file';
export { readSettings, type Settings } from './settings/settings';
