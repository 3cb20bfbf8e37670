import type { Resource } from '../runtime/model/resource';
import type { Json, JsonObject, Schema } from '../runtime/model/schema';
import { MERGE, type Place } from './place';

/** The optional fields of a part, and their defaults. */
interface Optional {
  names: string[];
  /** Those whose null means absent; a field of type any preserves null. */
  nullable: string[];
  properties: { [name: string]: Schema };
}

/** Checks fields that a client leaves out, or sends as null: every write fills in the default, or the field is absent. */
export function absence(place: Place): void {
  // The conversion decides how a spoke shows such a field.
  if (!place.isHub) return;
  const ofSpec = optionalFields(place, 'spec');
  if (ofSpec.names.length > 0) {
    test.each(['POST', 'PUT', 'PATCH'])('fields of the spec left out in a %s', async (method) => {
      const { url, shown } = await place.fresh();
      for (let index = 0; index < (method === 'PATCH' ? 1 : 2); index++) {
        // A new resource has references and unique values of its own.
        const own = method === 'POST' ? await place.bodies.next() : { spec: shown.spec };
        const body = { ...own, ...bodies('spec', own.spec, ofSpec, method)[index] };
        const { spec } = await write(place, method, method === 'POST' ? place.url : url, body);
        expectFilled(spec, ofSpec);
      }
    });
  }
  const ofStatus = optionalFields(place, 'status');
  if (ofStatus.names.length > 0) {
    test.each(['PUT', 'PATCH'])('fields of the status left out in a %s', async (method) => {
      const found = await place.fresh();
      for (const body of bodies('status', place.statusOf(found), ofStatus, method)) {
        const { status = {} } = await write(place, method, `${found.url}/status`, body);
        expectFilled(status, ofStatus);
      }
    });
  }
}

function optionalFields({ kind, fields }: Place, part: 'spec' | 'status'): Optional {
  const { properties = {}, required = [] } = fields[part];
  const names = Object.keys(properties).filter((name) => {
    const isServers = part === 'status' && name === 'version' && kind.history !== undefined;
    return !isServers && (!required.includes(name) || properties[name].default !== undefined);
  });
  const isAny = ({ type, $ref }: Schema): boolean => type === undefined && $ref === undefined;
  return { names, nullable: names.filter((name) => !isAny(properties[name])), properties };
}

/** Returns bodies without the fields: a patch removes them with null, another write has them as null or not at all. */
function bodies(part: 'spec' | 'status', own: JsonObject, optional: Optional, method: string): JsonObject[] {
  const { names, nullable } = optional;
  const nulls = (of: string[]): JsonObject => Object.fromEntries(of.map((name) => [name, null]));
  if (method === 'PATCH') return [{ [part]: nulls(names) }];
  const rest = Object.fromEntries(Object.entries(own).filter(([name]) => !names.includes(name)));
  return [{ [part]: rest }, { [part]: { ...rest, ...nulls(nullable) } }];
}

function write(place: Place, method: string, url: string, body: object): Promise<Resource> {
  const headers: { [name: string]: string } = method === 'PATCH' ? { 'Content-Type': MERGE } : {};
  return place.service.resource(method === 'POST' ? 201 : 200, method, url, { headers, body });
}

function expectFilled(shown: JsonObject, { names, properties }: Optional): void {
  for (const name of names) {
    const preset = properties[name].default;
    const value: Json | undefined = Object.hasOwn(shown, name) ? shown[name] : undefined;
    // Within a default, other fields may be filled in.
    if (typeof preset === 'object' && preset !== null) expect(value).toMatchObject(preset);
    else expect([name, value]).toEqual([name, preset]);
  }
}
