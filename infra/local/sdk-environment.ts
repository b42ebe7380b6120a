import type { Contract, Job } from '#lib/contract/contract';
import { variableFor } from '#lib/contract/needs';
import { APP_ID, ENVIRONMENT } from '#lib/environment';
import { needsOf } from '#lib/routes';
import { SETTING_NAMES, settingVariable } from '#lib/settings';
import { type Credentials, newCredentials } from './machine/refusal.ts';
import { NAMES } from './machine/resource-names.ts';

type Variables = Record<string, string | undefined>;

/** Where the services of AWS are, as the variables of the SDK name them. */
export const ENDPOINTS = {
  dynamodb: 'AWS_ENDPOINT_URL_DYNAMODB',
  events: 'AWS_ENDPOINT_URL_EVENTBRIDGE',
  secretsmanager: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
} as const;

export type Endpoints = Readonly<Record<keyof typeof ENDPOINTS, string>>;

/** The endpoint that the user gave for a service. */
export function givenEndpoint(service: keyof typeof ENDPOINTS, user: Variables): string | undefined {
  const url = user[ENDPOINTS[service]];
  if (url && !/^https?:\/\/[^\s/]+/.test(url))
    throw new Error(`${ENDPOINTS[service]} expects an http or https URL, not "${url}"`);
  return url || undefined;
}

export const regionOf = (user: Variables) => user['AWS_REGION'] || 'us-east-1';

/** What a DynamoDB Local of the user takes: it takes anything, but each access key has tables of its own there. */
const FOR_ANY_ENGINE: Credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** The credentials of the user leave for nothing but a service that the user named. */
function usersCredentials(user: Variables): Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = user;
  const named = Object.values(ENDPOINTS).some((name) => user[name]);
  if (!named || !accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, sessionToken: user['AWS_SESSION_TOKEN'] || undefined };
}

/** Credentials that a new instance has for itself; undefined where it works with those of the user. */
export const instanceCredentials = (user: Variables): Credentials | undefined =>
  usersCredentials(user) || user[ENDPOINTS.dynamodb] ? undefined : newCredentials();

/** The credentials that an instance works with: its own, or those of the user. */
export const credentialsFor = (user: Variables, own: Credentials | undefined): Credentials =>
  own ?? usersCredentials(user) ?? FOR_ANY_ENGINE;

/** The region, credentials and endpoints of the SDK. */
export const sdkEnvironment = (
  user: Variables,
  endpoints: Endpoints,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
): Record<string, string> => ({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  ...(sessionToken === undefined ? {} : { AWS_SESSION_TOKEN: sessionToken }),
  AWS_REGION: regionOf(user),
  // Profiles of the user have no say.
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  [ENDPOINTS.dynamodb]: endpoints.dynamodb,
  [ENDPOINTS.events]: endpoints.events,
  [ENDPOINTS.secretsmanager]: endpoints.secretsmanager,
});

/** Has this process use the SDK as the functions do: of the variables of AWS, these only. */
export function adoptEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, environment);
}

/** The settings that the user gave, as variables; the URL of the gateway where the user gave none. */
export const settingsEnvironment = (user: Variables, url: string): Record<string, string> => ({
  [settingVariable('ApiUrl')]: url,
  ...Object.fromEntries(
    SETTING_NAMES.map(settingVariable).flatMap((name) =>
      user[name] === undefined ? [] : [[name, user[name]]],
    ),
  ),
});

const VALUES: Readonly<Record<string, string>> = {
  [ENVIRONMENT.eventBus]: NAMES.eventBus,
  [ENVIRONMENT.signingKey]: NAMES.signingKey,
  [ENVIRONMENT.auditLog]: NAMES.auditLog,
};

/** The variables that lead a function to what its contract needs, as in the cloud, and to nothing else. */
export const bindingsOf = (definition: Contract | Job, table: string): Record<string, string> => ({
  [ENVIRONMENT.instance]: NAMES.instance,
  [APP_ID]: definition.id,
  ...Object.fromEntries(
    [...needsOf(definition)]
      .map(variableFor)
      .map((variable) => [variable, variable === ENVIRONMENT.table ? table : (VALUES[variable] as string)]),
  ),
});
