import { randomBytes } from 'node:crypto';
import type { Contract, Job } from '#lib/contract/contract';
import { variableFor } from '#lib/contract/needs';
import { APP_ID, ENVIRONMENT } from '#lib/instance/environment';
import { settingVariable, settingVariables } from '#lib/instance/settings';
import { needsOf } from '#lib/routes';
import { issuersIn } from '#lib/trust/issuers';
import { NAMES } from './machine/resource-names.ts';

/** Credentials of the SDK; those of a role have a session token too. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** New random credentials: the access key has the form of AWS's, and 120 random bits. */
export const newCredentials = (): Credentials => ({
  accessKeyId: `LOCAL${randomBytes(15).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(30).toString('base64url'),
});

type Variables = Record<string, string | undefined>;

export const ENDPOINTS = {
  dynamodb: 'AWS_ENDPOINT_URL_DYNAMODB',
  events: 'AWS_ENDPOINT_URL_EVENTBRIDGE',
  secretsmanager: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
} as const;

export type Endpoints = Readonly<Record<keyof typeof ENDPOINTS, string>>;

/** Variable of the service that invokes functions, which operator commands use. */
export const LAMBDA_ENDPOINT = 'AWS_ENDPOINT_URL_LAMBDA';

/** Variable of CloudWatch Logs, which functions use. */
export const LOGS_ENDPOINT = 'AWS_ENDPOINT_URL_CLOUDWATCH_LOGS';

/** The URL that the user names for a service, if any. @throws Error with a text for people if it is not a URL */
export function givenEndpoint(service: keyof typeof ENDPOINTS, user: Variables): string | undefined {
  const url = user[ENDPOINTS[service]];
  if (url && !/^https?:\/\/[^\s/]+/.test(url))
    throw new Error(`${ENDPOINTS[service]} expects an http or https URL, not "${url}"`);
  return url || undefined;
}

export const regionOf = (user: Variables) => user['AWS_REGION'] || 'us-east-1';

/** Credentials for a DynamoDB Local of the user, which accepts any, but has separate tables for each access key. */
const FOR_ANY_ENGINE: Credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** The credentials of the user; undefined unless the user names the endpoint of a service. */
function usersCredentials(user: Variables): Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = user;
  const named = Object.values(ENDPOINTS).some((name) => user[name]);
  if (!named || !accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, sessionToken: user['AWS_SESSION_TOKEN'] || undefined };
}

/** Credentials that a new instance generates; undefined if it works with those of the user. */
export const instanceCredentials = (user: Variables): Credentials | undefined =>
  usersCredentials(user) || user[ENDPOINTS.dynamodb] ? undefined : newCredentials();

/** The credentials that an instance works with: its own, or those of the user. */
export const credentialsFor = (user: Variables, own: Credentials | undefined): Credentials =>
  own ?? usersCredentials(user) ?? FOR_ANY_ENGINE;

/** Variables by which the SDK finds the services and its credentials. */
export const sdkEnvironment = (
  user: Variables,
  endpoints: Endpoints,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
): Record<string, string> => ({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  ...(sessionToken === undefined ? {} : { AWS_SESSION_TOKEN: sessionToken }),
  AWS_REGION: regionOf(user),
  // Prevents the SDK from reading a profile of the user.
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  [ENDPOINTS.dynamodb]: endpoints.dynamodb,
  [ENDPOINTS.events]: endpoints.events,
  [ENDPOINTS.secretsmanager]: endpoints.secretsmanager,
});

/** Replaces AWS variables of this process by those of the functions. */
export function adoptEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, environment);
}

/**
 * The settings that the user gave, as variables; the URL of the gateway where the user gave none.
 *
 * @param issuers more issuers than those of the user
 * @throws Error with a text for people if an issuer of the user has the name of one of these
 */
export function settingsEnvironment(
  user: Variables,
  url: string,
  issuers: readonly object[] = [],
): Record<string, string> {
  const given = settingVariables(user);
  const all = [...JSON.parse(given[ISSUERS] || '[]'), ...issuers];
  const text = JSON.stringify(all);
  issuersIn(text, true);
  return { [settingVariable('ApiUrl')]: url, ...given, ...(all.length > 0 ? { [ISSUERS]: text } : {}) };
}

const ISSUERS = settingVariable('Issuers');

/** The variables of the resources that a function needs, as in the cloud. */
export function bindingsOf(definition: Contract | Job, table: string): Record<string, string> {
  const values: Readonly<Record<string, string>> = {
    [ENVIRONMENT.table]: table,
    [ENVIRONMENT.eventBus]: NAMES.eventBus,
    [ENVIRONMENT.signingKey]: NAMES.signingKey,
    [ENVIRONMENT.resourceKey]: NAMES.resourceKey,
    [ENVIRONMENT.erasureKey]: NAMES.erasureKey,
    [ENVIRONMENT.auditLog]: NAMES.auditLog,
    [ENVIRONMENT.functionLog]: NAMES.functionLog,
  };
  const variables = [...needsOf(definition)].map(variableFor);
  const bound = Object.fromEntries(variables.map((name) => [name, values[name] as string]));
  return { [ENVIRONMENT.instance]: NAMES.instance, [APP_ID]: definition.id, ...bound };
}
