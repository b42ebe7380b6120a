import { describe, expect, test } from 'vitest';
import {
  bindingsOf,
  credentialsFor,
  givenEndpoint,
  instanceCredentials,
  sdkEnvironment,
  settingsEnvironment,
} from '#infra/local/sdk-environment';
import { functions } from '#lib/routes';

const endpoints = { dynamodb: 'http://d', events: 'http://e', secretsmanager: 'http://s' };
const named = (id: string) => {
  const definition = functions.find((each) => each.id === id);
  if (!definition) throw new Error(`There is no ${id}`);
  return bindingsOf(definition, 'own-table');
};

describe('the environment of a function', () => {
  test('leads it to what its contract needs, and to nothing else', () => {
    expect(named('account.profile')).toEqual({
      INSTANCE: 'local',
      AWS_SDK_UA_APP_ID: 'account.profile',
      TABLE_NAME: 'own-table',
    });
    expect(named('account.cancel')).toMatchObject({ EVENT_BUS_NAME: 'core-account' });
    expect(named('account.login')).toMatchObject({ SIGNING_KEY_SECRET_ID: 'signing-key' });
    expect(named('account.login')).not.toHaveProperty('EVENT_BUS_NAME');
  });

  test('has the settings that the user gave, and the URL of the gateway where it gave none', () => {
    expect(settingsEnvironment({ Settings__OwnerName: 'Me' }, 'http://g')).toEqual({
      Settings__ApiUrl: 'http://g',
      Settings__OwnerName: 'Me',
    });
    expect(settingsEnvironment({ Settings__ApiUrl: 'https://x' }, 'http://g')).toEqual({
      Settings__ApiUrl: 'https://x',
    });
  });
});

const user = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'session' };
const usersEngine = { AWS_ENDPOINT_URL_DYNAMODB: 'http://d' };
const environmentOf = (given: Record<string, string>) =>
  sdkEnvironment(given, endpoints, credentialsFor(given, instanceCredentials(given)));

describe('an instance works with the credentials', () => {
  test('that it has made for itself, new ones each time', () => {
    const [one, other] = [environmentOf(user), environmentOf(user)];
    expect(one['AWS_ACCESS_KEY_ID']).toMatch(/^LOCAL[0-9A-F]{30}$/);
    expect(one['AWS_SECRET_ACCESS_KEY']).toMatch(/^[\w-]{40}$/);
    expect(one).not.toHaveProperty('AWS_SESSION_TOKEN');
    expect(other['AWS_ACCESS_KEY_ID']).not.toBe(one['AWS_ACCESS_KEY_ID']);
  });

  test('of the user, where the user named an endpoint, and never keeps them', () => {
    expect(environmentOf({ ...user, ...usersEngine })).toMatchObject(user);
    expect(instanceCredentials({ ...user, AWS_ENDPOINT_URL_EVENTBRIDGE: 'http://e' })).toBeUndefined();
  });

  test('that any engine takes, where the user named an engine alone', () => {
    expect(environmentOf(usersEngine)).toMatchObject({
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    });
  });
});

test('an endpoint that is no URL is refused by its name', () => {
  const user = { AWS_ENDPOINT_URL_DYNAMODB: 'localhost:8000' };
  expect(() => givenEndpoint('dynamodb', user)).toThrow('AWS_ENDPOINT_URL_DYNAMODB');
});
