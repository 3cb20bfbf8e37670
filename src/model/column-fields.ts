import { statusFields } from './json-schema';
import type { ColumnType, Field, FieldType, Kind, KindVersion } from './project';

/** Returns the spec and the status of a version as two fields, from which the paths of columns start. */
export function columnRoots(kind: Pick<Kind, 'history'>, version: KindVersion): Field[] {
  const root = (name: string, fields: Field[]): Field => ({
    ...{ name, rules: {}, required: true, default: undefined, description: '' },
    type: { kind: 'object', fields },
  });
  return [root('spec', version.spec), root('status', statusFields(kind, version))];
}

/** Returns the type of a column by that of its field, in Kubernetes' words; undefined for a value that fits no cell. */
export function columnType(type: FieldType): ColumnType | undefined {
  switch (type.kind) {
    case 'timestamp':
      return 'date';
    case 'any':
      return 'string';
    case 'list':
      return type.items.type.kind !== 'list' && columnType(type.items.type) ? 'string' : undefined;
    case 'object':
    case 'map':
    case 'ref':
      return undefined;
    default:
      return type.kind;
  }
}
