import { environmentPrefix, keyVariables } from '../../../templates/ctl/variables';
import { camelWords, Identifiers } from '../../code/identifiers';
import { memberName, stringLiteral } from '../../code/literal';
import type { Project, SecurityScheme } from '../../model/project';
import type { TemplateContext } from '../text/templates';

/** Returns the argument of curl that carries the credential, with a space before it. Empty where no scheme is declared. */
export function curlCredential([first]: SecurityScheme[]): string {
  if (first === undefined) return '';
  return first.type === 'bearer' ? ' -H "Authorization: Bearer $TOKEN"' : ` -H "${first.header}: $API_KEY"`;
}

/** Returns the option of the client that carries the credential in an example; empty where no scheme is declared. */
export function exampleCredential(project: Project): string {
  const [first] = credentialsOf(project);
  if (first === undefined) return '';
  return `, ${first.option}: process.env['${first.prefix ? 'TOKEN' : 'API_KEY'}'] ?? ''`;
}

/** Returns what a README says of credentials; false where no scheme is declared. */
export function credentialContext(project: Project): TemplateContext | false {
  const { security } = project;
  if (security.length === 0) return false;
  const keys = security.flatMap((scheme) => (scheme.type === 'apiKey' ? [scheme.header] : []));
  const service = { service: project.name, apiKeys: keys };
  return {
    schemes: security
      .map((scheme) =>
        scheme.type === 'bearer' ? 'a bearer token' : `a key in the header \`${scheme.header}\``,
      )
      .join(' or '),
    bearer: security.some(({ type }) => type === 'bearer'),
    /** True where examples carry a token: they take the first scheme. */
    tokens: security[0].type === 'bearer',
    keys: keys.length > 0,
    keyHeader: keys[0] ?? '',
    variables: [
      ...(security.some(({ type }) => type === 'bearer') ? [`\`${environmentPrefix(service)}_TOKEN\``] : []),
      ...keyVariables(service).map(([variable]) => `\`${variable}\``),
    ].join(' or '),
  };
}

/** A credential that callers give, as the client names it. */
interface CredentialContext extends TemplateContext {
  option: string;
  description: string;
  header: string;
  prefix: string | false;
}

/** The members of every client's options: see ClientOptions of the client, the bearer token, and those of every object. */
const CLIENT_OPTIONS = [
  ...['baseUrl', 'fetch', 'headers', 'maxResponseBytes', 'onWarning', 'timeoutMs', 'token'],
  ...Object.getOwnPropertyNames(Object.prototype),
];

/** Returns the credentials that a client takes, any one of which suffices. */
export function credentialsOf({ security }: Project): CredentialContext[] {
  const isOnlyKey = security.filter(({ type }) => type === 'apiKey').length === 1;
  const options = new Identifiers(CLIENT_OPTIONS);
  return security.map((scheme) =>
    scheme.type === 'bearer'
      ? {
          option: 'token',
          description: 'Sent as a bearer token in the header Authorization.',
          header: 'Authorization',
          prefix: stringLiteral('Bearer '),
        }
      : {
          option: isOnlyKey ? 'apiKey' : options.claim(camelWords(scheme.header.toLowerCase())),
          description: `Sent in the header ${scheme.header}.`,
          header: memberName(scheme.header),
          prefix: false,
        },
  );
}
