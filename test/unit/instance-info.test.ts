import { expect, test } from 'vitest';
import { instanceInfo } from '#lib/instance-info';
import { readSettings } from '#lib/settings';
import project from '../../package.json' with { type: 'json' };

test('an instance tells its version, its URL and its owner, and no other setting', () => {
  const given: Record<string, string> = { ApiUrl: 'https://api.example.com', OwnerName: 'Owner' };
  const info = instanceInfo(readSettings((name) => given[name]));
  expect(info).toEqual({
    'kv.v.api.version': project.version,
    'kv.v.api.url': 'https://api.example.com',
    'kv.v.owner.name': 'Owner',
  });
});
