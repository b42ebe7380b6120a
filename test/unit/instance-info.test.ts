import { expect, test } from 'vitest';
import { API_VERSION, instanceInfo } from '#lib/instance-info';
import { readSettings } from '#lib/settings';

test('an instance tells its version, its URL and its owner, and no other setting', () => {
  const given: Record<string, string> = { ApiUrl: 'https://api.example.com', OwnerName: 'Owner' };
  const info = instanceInfo(readSettings((name) => given[name]));
  expect(info).toEqual({
    'kv.v.api.version': API_VERSION,
    'kv.v.api.url': 'https://api.example.com',
    'kv.v.owner.name': 'Owner',
  });
  expect(API_VERSION).toMatch(/^\d+\.\d+\.\d+$/);
});
