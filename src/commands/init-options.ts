import { basename } from 'node:path';
import type { NewProject } from '../edit/scaffold';
import { compareVersions, DEFAULT_GROUP, DEFAULT_VERSION, NAME_LENGTH, versionList } from '../model/names';
import { refuse } from '../model/problem';
import type { ValidationMode } from '../model/project';

/** The flags of `svcgen init`. */
export interface InitOptions {
  project?: string;
  name?: string;
  group?: string;
  /** Names with commas between them. */
  versions?: string;
  storageVersion?: string;
  validation?: ValidationMode;
  events?: boolean;
  yes?: boolean;
}

/** The project that the flags describe, with the defaults of what they leave out. */
export function newProject(folder: string, options: InitOptions): NewProject {
  const group = options.group ?? DEFAULT_GROUP;
  const versions = versionList(options.versions ?? DEFAULT_VERSION);
  if (versions.length === 0) refuse('--versions names no version', 'for example --versions v1,v2beta1');
  const storageVersion = options.storageVersion ?? [...versions].sort(compareVersions)[0];
  if (!versions.includes(storageVersion)) {
    const hint = `--versions ${[...versions, storageVersion].join(',')} declares it`;
    refuse(`version ${storageVersion} not found in group ${group}; available: ${versions.join(', ')}`, hint);
  }
  return {
    name: options.name ?? nameOf(folder),
    group,
    versions,
    storageVersion,
    validation: options.validation ?? 'strict',
    events: options.events ?? false,
  };
}

/** The folder's name made a valid name of a project: `My Service` → `my-service`. */
export function nameOf(folder: string): string {
  const ascii = basename(folder).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const dashed = ascii.replace(/[^a-z0-9._-]+/g, '-').slice(0, NAME_LENGTH);
  return dashed.replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '') || 'service';
}
