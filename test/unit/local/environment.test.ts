import { expect, test } from 'vitest';
import {
  adoptEnvironment,
  bindingsOf,
  credentialsFor,
  givenEndpoint,
  instanceCredentials,
  sdkEnvironment,
  settingsEnvironment,
} from '#infra/local/sdk-environment';
import { contract as cancel } from '#lib/account/lifecycle/cancel.contract';
import { contract as profile } from '#lib/account/profile/profile.contract';
import { contract as login } from '#lib/login/login.contract';

test('the environment of a function names the resources that its contract needs, and no others', () => {
  const common = { INSTANCE: 'local', TABLE_NAME: 'own' };
  expect(bindingsOf(profile, 'own')).toEqual({ ...common, AWS_SDK_UA_APP_ID: profile.id });
  expect(bindingsOf(cancel, 'own')).toMatchObject({ ...common, EVENT_BUS_NAME: 'core-account' });
  expect(bindingsOf(login, 'own')).toMatchObject({ ...common, SIGNING_KEY_SECRET_ID: 'signing-key' });
  expect(bindingsOf(login, 'own')).not.toHaveProperty('EVENT_BUS_NAME');
});

test.each([
  [
    { Settings__OwnerName: 'Me', OTHER: 'x' },
    { Settings__ApiUrl: 'http://g', Settings__OwnerName: 'Me' },
  ],
  [{ Settings__ApiUrl: 'https://x' }, { Settings__ApiUrl: 'https://x' }],
])('the settings of the user %j give functions %j', (user, expected) => {
  expect(settingsEnvironment(user, 'http://g')).toEqual(expected);
});

const endpoints = { dynamodb: 'http://d', events: 'http://e', secretsmanager: 'http://s' };
const own = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'session' };
const environmentOf = (user: Record<string, string>) =>
  sdkEnvironment(user, endpoints, credentialsFor(user, instanceCredentials(user)));

test('the credentials of an instance are new for each start', () => {
  const [one, other] = [environmentOf(own), environmentOf(own)];
  expect(one['AWS_ACCESS_KEY_ID']).toMatch(/^LOCAL[0-9A-F]{30}$/);
  expect(one['AWS_SECRET_ACCESS_KEY']).toMatch(/^[\w-]{40}$/);
  expect(one).not.toHaveProperty('AWS_SESSION_TOKEN');
  expect(other['AWS_ACCESS_KEY_ID']).not.toBe(one['AWS_ACCESS_KEY_ID']);
});

test('the credentials of an instance are those of the user when the user names an endpoint, and are not stored then', () => {
  expect(environmentOf({ ...own, AWS_ENDPOINT_URL_DYNAMODB: 'http://d' })).toMatchObject(own);
  expect(instanceCredentials({ ...own, AWS_ENDPOINT_URL_EVENTBRIDGE: 'http://e' })).toBeUndefined();
  const any = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
  expect(environmentOf({ AWS_ENDPOINT_URL_DYNAMODB: 'http://d' })).toMatchObject(any);
});

test('an endpoint that is no URL is refused by its name', () => {
  const user = { AWS_ENDPOINT_URL_DYNAMODB: 'localhost:8000' };
  expect(() => givenEndpoint('dynamodb', user)).toThrow('AWS_ENDPOINT_URL_DYNAMODB');
});

test('the environment of an instance replaces all variables of AWS that the user has', () => {
  const before = { ...process.env };
  process.env['AWS_PROFILE'] = 'other';
  adoptEnvironment({ AWS_REGION: 'eu-north-1' });
  const { AWS_PROFILE: profile, AWS_REGION: region, TZ: zone } = process.env;
  Object.assign(process.env, before);
  expect([profile, region, zone]).toEqual([undefined, 'eu-north-1', before['TZ']]);
});
