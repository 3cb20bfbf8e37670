import { copy, type Lens } from '../lenses/lens';
import {
  dropped,
  From,
  Group,
  type ObjectOptions,
  OrElse,
  own,
  type Shape,
  type Source,
  together,
} from './sources';
import { type Container, type Link, type Place, type Row, type SeveralLink, Tree } from './trees';

/** Two objects and the links between their fields, with every path looked up. */
export class ObjectTable {
  readonly hub = new Tree();
  readonly spoke = new Tree();
  readonly links: Link[] = [];
  /** Links of lists and maps into which single elements or entries are put, and all others. */
  readonly wholeLinks: Link[];
  readonly fieldLinks: Link[];
  readonly several: SeveralLink[];
  /** Fields that only this version has. */
  readonly own: Place[] = [];
  private readonly rows = new Map<string, Row>();

  constructor(
    shape: Shape,
    { hub = {}, created = {}, together: rules = [], order }: ObjectOptions,
    private readonly lensOf: (source: Lens | Shape) => Lens,
  ) {
    this.hub.root.defaults = created;
    for (const [path, { created: defaults = {}, ...options }] of Object.entries(hub))
      Object.assign(this.hub.open(this.hub.place(path)), { defaults, ...options });
    this.fill(this.spoke.root, shape);
    if (order !== undefined)
      this.links.sort((one, other) => order.indexOf(one.spoke.path) - order.indexOf(other.spoke.path));
    this.several = rules.map(({ rule, nameOf, ...paths }, index) => {
      const places = (side: 'hub' | 'spoke') =>
        paths[side].map((path): [string, Place] => [nameOf(path), this[side].place(path)]);
      const spoke = places('spoke');
      for (const [name, { path }] of spoke) Object.assign(this.rows.get(path)!, { rule: index, name });
      return { rule, hub: places('hub'), spoke, key: spoke.map(([, { path }]) => path).join('+') };
    });
    const isWhole = (link: Link): boolean => this.hub.at(link.hub.path) !== undefined;
    this.wholeLinks = this.links.filter(isWhole);
    this.fieldLinks = this.links.filter((link) => !isWhole(link));
    const several = this.several.flatMap((one) => one.hub.map(([, place]) => place));
    for (const place of [...this.links.map((link) => link.hub), ...several]) {
      const isField = place.element !== undefined && this.hub.at(place.path) === undefined;
      if (isField) place.holder.elements.push(place);
    }
  }

  /** Adds the fields of an object, list or map of this version. */
  private fill(container: Container, shape: Shape): void {
    const above = container.place?.path ?? '';
    for (const [name, source] of Object.entries(shape)) {
      const place = this.spoke.place(above === '' || /^[[{]/.test(name) ? above + name : `${above}.${name}`);
      const row: Row = {
        place,
        kind: 'link',
        link: undefined,
        group: undefined,
        rule: -1,
        name: '',
        preset: undefined,
      };
      container.rows.push(row);
      this.rows.set(place.path, row);
      this.supply(row, source as Source);
      if (row.preset !== undefined) container.defaults = { ...container.defaults, [name]: row.preset };
    }
    const { element } = container.place ?? {};
    container.declared = new Set([...Object.keys(shape), ...(element === undefined ? [] : [element.key])]);
  }

  private supply(row: Row, source: Source): void {
    const { place } = row;
    if (source instanceof OrElse) {
      row.preset = source.value;
      this.supply(row, source.source);
    } else if (source instanceof Group) {
      const { required = false, pair, rest } = source.options;
      const container = this.spoke.open(place);
      container.required = required;
      if (pair !== undefined) {
        container.pair = this.hub.at(this.hub.place(pair).path)!;
        container.pair.pair = container;
      }
      if (rest !== undefined) container.link = row.link = this.link(row, rest);
      row.kind = 'group';
      row.group = container;
      this.fill(container, source.shape);
    } else if (source === own || source === dropped || source === together) {
      row.kind = source === together ? 'several' : source;
      if (source === own) this.own.push(place);
    } else row.link = this.link(row, source);
  }

  private link({ place, preset }: Row, source: Lens | Shape | From): Link {
    const { path, lens } = source instanceof From ? source : { path: place.path, lens: source };
    const hub = this.hub.place(path);
    const link: Link = {
      hub,
      spoke: place,
      lens: lens === copy ? undefined : this.lensOf(lens),
      isDefaulted: preset !== undefined,
    };
    const whole = this.hub.at(hub.path);
    if (whole !== undefined) whole.link = link;
    this.links.push(link);
    return link;
  }
}
