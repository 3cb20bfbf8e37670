import type { Resource } from '../runtime/resource';
import type { Json, JsonObject, Schema } from '../runtime/schema';
import { MERGE, type Place } from './place';

/** The fields of a part that a client may leave out, and what stands in their place. */
interface Optional {
  names: string[];
  /** Those whose null is the same as leaving them out; one of type any keeps it. */
  nullable: string[];
  properties: { [name: string]: Schema };
}

/** What a client leaves out, or sends as null: its default is filled in by every write, or it is not there. */
export function absence(place: Place): void {
  // What a spoke shows of such a field is for the conversion to say.
  if (!place.isHub) return;
  const { spec } = place.sample;
  const ofSpec = optionalFields(place, 'spec');
  if (ofSpec.names.length > 0) {
    test.each(['POST', 'PUT', 'PATCH'])('fields of the spec left out in a %s', async (method) => {
      const { url } = await place.fresh();
      for (const body of bodies('spec', spec as JsonObject, ofSpec, method)) {
        const { spec: shown } = await write(place, method, method === 'POST' ? place.url : url, body);
        expectFilled(shown, ofSpec);
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
    return !isServers && (!required.includes(name) || properties[name]!.default !== undefined);
  });
  const isAny = ({ type, $ref }: Schema): boolean => type === undefined && $ref === undefined;
  return { names, nullable: names.filter((name) => !isAny(properties[name]!)), properties };
}

/** Bodies without the fields: a patch removes them with null, another write has them as null or not at all. */
function bodies(part: 'spec' | 'status', own: JsonObject, optional: Optional, method: string): JsonObject[] {
  const { names, nullable } = optional;
  const nulls = (of: string[]): JsonObject => Object.fromEntries(of.map((name) => [name, null]));
  if (method === 'PATCH') return [{ [part]: nulls(names) }];
  const kept = Object.fromEntries(Object.entries(own).filter(([name]) => !names.includes(name)));
  return [{ [part]: kept }, { [part]: { ...kept, ...nulls(nullable) } }];
}

function write(place: Place, method: string, url: string, body: JsonObject): Promise<Resource> {
  const headers: { [name: string]: string } = method === 'PATCH' ? { 'Content-Type': MERGE } : {};
  return place.service.resource(method === 'POST' ? 201 : 200, method, url, { headers, body });
}

function expectFilled(shown: JsonObject, { names, properties }: Optional): void {
  for (const name of names) {
    const preset = properties[name]!.default;
    const value: Json | undefined = Object.hasOwn(shown, name) ? shown[name] : undefined;
    // Within a default, others may be filled in.
    if (typeof preset === 'object' && preset !== null) expect(value).toMatchObject(preset);
    else expect([name, value]).toEqual([name, preset]);
  }
}
