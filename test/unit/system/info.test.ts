import { expect, test } from 'vitest';
import type { Caller } from '#lib/account/caller';
import { API_VERSION } from '#lib/instance-info';
import { readSettings } from '#lib/settings';
import { info } from '#lib/system/contracts';
import { systemInformation } from '#lib/system/info';

const caller = {
  id: 'b0a6d0c8-24f1-4b52-9b4f-8f6d8a2c7f10',
  username: 'Ada',
  stamp: 'secret-stamp',
  user_app_name: 'core',
  user_currency: 'EUR',
  team_id: '',
  apps: ['core', 'crm'],
} as unknown as Caller;

const settings = readSettings(
  (name) => ({ OwnerName: 'Owner', OwnerLanguage: 'de', ApiUrl: 'https://api.example.com' })[name as string],
);
const information = (setup: boolean) => systemInformation(caller, { settings, instanceName: 'one' }, setup);

const DOCUMENTED = {
  'kv.v.api.token': '',
  'kv.v.api.url': 'https://api.example.com',
  'kv.v.api.version': API_VERSION,
  'kv.v.owner.language': 'de',
  'kv.v.owner.name': 'Owner',
  'kv.v.user.app_name': 'core',
  'kv.v.user.currency': 'EUR',
  'kv.v.user.teamid': '',
  'kv.v.user.userid': caller.id,
  'kv.v.user.username': 'Ada',
  'kv.v.user.apps': ['core', 'crm'],
};

test('the system information has exactly the documented keys, and no credential', () => {
  expect(information(false)).toEqual(DOCUMENTED);
});

test('setup adds the settings that are not secret', () => {
  expect(information(true)).toEqual({
    ...DOCUMENTED,
    'kv.v.setup.instance': 'one',
    'kv.v.setup.jwt_expire_hours': 24,
    'kv.v.setup.bcrypt_cost': 12,
    'kv.v.setup.allow_query_token': true,
    'kv.v.setup.cors_allowed_origins': [],
  });
});

test('both forms are those of the contract', () => {
  for (const setup of [false, true]) expect(info.response().safeParse(information(setup)).success).toBe(true);
});

test('the endpoint says since when it is deprecated (RFC 9745) and what replaces it (RFC 8288)', () => {
  const { deprecation, link } = info.headers;
  const since = Number(/^@(\d+)$/.exec(deprecation)?.[1]);
  expect(new Date(since * 1000).toISOString()).toBe('2026-01-01T00:00:00.000Z');
  expect(link).toBe('</api/core/account/profile>; rel="successor-version"');
});
