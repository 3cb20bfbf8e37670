import { onUnconverted } from '../conversion/unconverted';
import type { Versioning } from '../model/versioning';
import type { Feature } from '../service/feature';
import type { Logger } from '../service/logger';
import { preservedAfter, readsSameSpec, shownIn } from './hub-state';
import { hubStateOf } from './hub-state';
import { preservedOfSpec } from './preserved-fields';
import { refused } from './supplied-fields';
import { snapshotIn } from './snapshots';
import { writeThrough } from './spoke-writing';

/** Converts between the versions of a kind. Generated code hands it to each kind with several. */
export const versioning: Versioning = {
  ...{ hubStateOf, preservedAfter, readsSameSpec, shownIn },
  ...{ preservedOfSpec, refused, snapshotIn, writeThrough },
};

/** Serves kinds with several versions: what cannot be converted is logged. */
export const versions: Feature = (_definition, _settings, logger) => {
  logUnconverted(logger);
  return () => ({});
};

/**
 * Logs failed conversions without stored data: of an error, its type and its origin, since a message may quote the
 * resource.
 */
export function logUnconverted(logger: Logger): void {
  onUnconverted(({ error, ...left }) => {
    if (left.function === undefined) return logger.error(left, 'not converted');
    const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: '' };
    const frames = (stack ?? '').split('\n').filter((line) => /^ +at /.test(line));
    logger.error({ ...left, error: { type: name, stack: frames.join('\n') } }, 'not converted');
  });
}
