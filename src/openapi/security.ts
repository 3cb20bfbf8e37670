import type { JsonObject, Project, SecurityScheme } from '../model/project';
import { ref } from './components';

/** The section of `components` with the schemes that a project declares. Empty where it declares none. */
export function securitySchemes({ security }: Project): JsonObject {
  if (security.length === 0) return {};
  return {
    securitySchemes: Object.fromEntries(security.map((scheme) => [nameOf(scheme), schemeOf(scheme)])),
  };
}

/** The member of an operation that shows or changes data: any one scheme suffices. Empty where none is declared. */
export function guarded({ security }: Project): JsonObject {
  return security.length === 0 ? {} : { security: security.map((scheme) => ({ [nameOf(scheme)]: [] })) };
}

/** The responses of such an operation to requests that are not identified. Empty where no scheme is declared. */
export function unauthorized({ security }: Project): JsonObject {
  return security.length === 0 ? {} : { '401': ref('responses', 'Unauthorized') };
}

/** The name of a scheme in the document. */
function nameOf(scheme: SecurityScheme): string {
  return scheme.type === 'bearer' ? 'bearer' : scheme.header;
}

function schemeOf(scheme: SecurityScheme): JsonObject {
  return scheme.type === 'bearer'
    ? { type: 'http', scheme: 'bearer' }
    : { type: 'apiKey', in: 'header', name: scheme.header };
}
