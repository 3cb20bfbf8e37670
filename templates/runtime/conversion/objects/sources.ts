import type { Json, JsonObject } from '../../model/schema';
import type { Together } from '../lenses/joining';
import { copy, type Lens } from '../lenses/lens';

/**
 * The source of a field of a version. A lens converts the field of the same path in the storage version; a shape
 * is the lens of an object with these fields.
 */
export type Source = Lens | Shape | From | Group | OrElse | typeof own | typeof dropped | typeof together;

/** The fields of an object in a version, in the order in which they are shown. */
export interface Shape extends Inherited {
  [field: string]: Source | Inherited[keyof Inherited];
}

/** A field may have a name that every object inherits, such as `toString`, whose type would conflict. */
// eslint-disable-next-line @typescript-eslint/no-wrapper-object-types -- the names that objects inherit
type Inherited = { [name in keyof Object]?: Source | Object[name] };

/** A field that only this version has. Its value is preserved for this version. */
export const own = 'own';

/** A field that is accepted and ignored. */
export const dropped = 'dropped';

/** A field that a rule over several fields converts. */
export const together = 'together';

/** A field that has another path in the storage version. */
export class From {
  constructor(
    readonly path: string,
    readonly lens: Lens | Shape,
  ) {}
}

/** Takes a field from another path of the storage version. Without a lens, it is copied. */
export function from(path: string, lens: Lens | Shape = copy): From {
  return new From(path, lens);
}

/** An object, list or map of this version whose fields come from different places. */
export class Group {
  constructor(
    readonly shape: Shape,
    readonly options: GroupOptions,
  ) {}
}

/** Options of a group besides its fields. */
interface GroupOptions {
  required?: boolean;
  /** The path of the same object in the storage version. */
  pair?: string;
  /** The source of the other elements or entries. */
  rest?: Lens | From;
}

/** Puts an object, a list or a map together. The fields of a list are `[key=value]`, those of a map `{key}`. */
export function group(shape: Shape, options: GroupOptions = {}): Group {
  return new Group(shape, options);
}

/** A field that has a default. */
export class OrElse {
  constructor(
    readonly source: Source,
    readonly value: Json,
  ) {}
}

/** Shows a default where nothing supplies the field. */
export function orElse(source: Source, value: Json): OrElse {
  return new OrElse(source, value);
}

/** Options of an object besides its fields. */
export interface ObjectOptions {
  /** Objects, lists and maps of the storage version in which single fields are written, by path. */
  hub?: { [path: string]: HubOptions };
  /** Fields that the storage version's object gets when a write makes it. */
  created?: JsonObject;
  /** The rules over several fields. */
  together?: Together[];
  /** Paths of this version in the order in which they are written, where that differs from the order of their display. */
  order?: string[];
}

/** Options of an object, list or map of the storage version. */
interface HubOptions {
  /** True if it comes with its parent object. */
  required?: boolean;
  /** Fields that it gets when a write makes it. */
  created?: JsonObject;
  /** Its fields that this version shows outside of its pair. */
  elsewhere?: string[];
}

/** Returns whether a source is a lens, and not the fields of an object. */
export function isLens(source: Lens | Shape): source is Lens {
  return typeof source.get === 'function';
}
