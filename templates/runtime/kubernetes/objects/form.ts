import type { Request } from 'express';
import { remembering } from '../../http/headers/repeated-headers';
import { notAcceptable } from '../status/problem';

/** The form in which a client wants objects: whole, their metadata alone, or as rows of a table. */
export type Form = 'object' | 'metadata' | 'table';

const FORMS: { [as: string]: Form } = {
  Table: 'table',
  PartialObjectMetadata: 'metadata',
  PartialObjectMetadataList: 'metadata',
};

/** A media range of an Accept header: its type, and its parameters by name. */
interface MediaRange {
  type: string;
  parameters: { [name: string]: string };
}

/** Returns the ranges of an Accept header in order of preference. */
export function acceptedRanges(accept: string | undefined): MediaRange[] {
  const ranges = (accept ?? '*/*').split(',').map((range) => {
    const [type, ...rest] = range.split(';').map((part) => part.trim());
    const parameters = rest.map((part) => {
      const [name, value = ''] = part.split('=', 2);
      return [name.toLowerCase(), value.replace(/^"(.*)"$/, '$1')];
    });
    return {
      type: type.toLowerCase(),
      parameters: Object.fromEntries(parameters) as { [name: string]: string },
    };
  });
  const quality = ({ parameters: { q = '1' } }: MediaRange): number => Number(q) || 0;
  return ranges.filter((range) => quality(range) > 0).toSorted((a, b) => quality(b) - quality(a));
}

/** Returns whether a range accepts JSON. */
export function isJson({ type }: MediaRange): boolean {
  return type === 'application/json' || type === 'application/*' || type === '*/*';
}

/** Returns the form that a request prefers among those that there are. Throws a problem 406 where it accepts none. */
export function formOf({ headers: { accept = '*/*' } }: Pick<Request, 'headers'>): Form {
  return preferredForm(accept);
}

const preferredForm = remembering((accept): Form => {
  for (const range of acceptedRanges(accept)) {
    if (!isJson(range)) continue;
    const { as } = range.parameters;
    if (as === undefined) return 'object';
    if (range.parameters['g'] === 'meta.k8s.io' && Object.hasOwn(FORMS, as)) return FORMS[as];
  }
  throw notAcceptable();
});
