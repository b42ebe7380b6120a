import { expect, test } from 'vitest';
import type { Caller } from '#lib/account/caller';
import { settingsFromEnvironment } from '#lib/instance/settings';
import { systemInformation } from '#lib/system/info';
import { contract as info } from '#lib/system/info.contract';
import project from '../../../package.json' with { type: 'json' };

const caller = {
  id: 'b0a6d0c8-24f1-4b52-9b4f-8f6d8a2c7f10',
  username: 'Ada',
  stamp: 'secret-stamp',
  user_app_name: 'core',
  user_currency: 'EUR',
  team_id: '',
  apps: ['core', 'crm'],
} as unknown as Caller;

const settings = settingsFromEnvironment({
  Settings__OwnerName: 'Owner',
  Settings__OwnerLanguage: 'de',
  Settings__ApiUrl: 'https://api.example.com',
});

const DOCUMENTED = {
  'kv.v.api.token': '',
  'kv.v.api.url': 'https://api.example.com',
  'kv.v.api.version': project.version,
  'kv.v.owner.language': 'de',
  'kv.v.owner.name': 'Owner',
  'kv.v.user.app_name': 'core',
  'kv.v.user.currency': 'EUR',
  'kv.v.user.teamid': '',
  'kv.v.user.userid': caller.id,
  'kv.v.user.username': 'Ada',
  'kv.v.user.apps': ['core', 'crm'],
};
const SETUP = {
  'kv.v.setup.instance': 'one',
  'kv.v.setup.jwt_expire_hours': settings.JwtExpireHours,
  'kv.v.setup.bcrypt_cost': settings.BcryptCost,
  'kv.v.setup.allow_query_token': true,
  'kv.v.setup.cors_allowed_origins': [],
};

test.each([
  [false, DOCUMENTED],
  [true, { ...DOCUMENTED, ...SETUP }],
])('the system information has exactly the documented keys when setup is %s', (setup, documented) => {
  const information = systemInformation(caller, { settings, instanceName: 'one' }, setup);
  expect(information).toEqual(documented);
  expect(info.response().safeParse(information).success).toBe(true);
});
