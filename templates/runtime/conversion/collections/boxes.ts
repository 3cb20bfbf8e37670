import type { Maybe } from '../../model/fields/values';
import { isObject } from '../../model/schema';
import { addFailure, type Failures } from '../../model/versions/spoke-converter';
import { type Lens, trimmed } from '../lenses/lens';
import { lensOf } from '../objects/object-lens';
import type { Shape } from '../objects/sources';

/** Makes a lens between objects apply to a hub value that is no object: the value becomes a member `value`. */
export function boxedHub(object: Lens | Shape): Lens {
  const inner = lensOf(object);
  return {
    get: (hub, kept) => inner.get(box(hub), kept),
    put(sent, old, at, failures) {
      const put = inner.put(sent, old && { ...old, hub: { value: old.hub } }, at, failures);
      return { hub: unbox(put.hub), kept: put.kept };
    },
    carry: (before, after, kept) => inner.carry(box(before), box(after), kept),
    trim: (sent) => trimmed(inner, sent),
    locate: (path, hub, spoke) => inner.locate(['value', ...path], box(hub), spoke),
  };
}

/** Does the same for a spoke value that is no object. */
export function boxedSpoke(object: Lens | Shape): Lens {
  const inner = lensOf(object);
  return {
    get: (hub, kept) => unbox(inner.get(hub, kept)),
    put(sent, old, at, failures: Failures) {
      const boxed = `${at}/value`;
      const earlier = failures.earlier?.map((pointer) => (pointer === at ? boxed : pointer));
      const inside: Failures = { found: [], earlier };
      const put = inner.put(box(sent), old && { ...old, read: box(old.read) }, at, inside);
      for (const failure of inside.found)
        addFailure(failures, { ...failure, pointer: failure.pointer.replace(boxed, () => at) });
      return put;
    },
    carry: (before, after, kept) => inner.carry(before, after, kept),
    locate: (path, hub, spoke) => inner.locate(path, hub, box(spoke)).slice(1),
  };
}

function box(value: Maybe): Maybe {
  return value === undefined ? undefined : { value };
}

function unbox(boxed: Maybe): Maybe {
  return isObject(boxed) ? boxed.value : boxed;
}
