import { afterEach, expect, test, vi } from 'vitest';
import { settingsFromEnvironment } from '#lib/instance/settings';
import { requireVariable, runtimeFromEnvironment, runtimeOn } from '#lib/runtime';
import { openTable } from '#lib/table/table';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each(['', undefined])('requireVariable names a variable that is %j', (value) => {
  vi.stubEnv('TABLE_NAME', value);
  expect(() => requireVariable('table')).toThrow(
    'TABLE_NAME is not set: no need of the contract binds table',
  );
});

test('a runtime is created from the environment', () => {
  vi.stubEnv('INSTANCE', 'core').stubEnv('TABLE_NAME', 'items').stubEnv('Settings__BcryptCost', '10');
  const { instanceName, table, settings } = runtimeFromEnvironment();
  expect([instanceName, table.name]).toEqual(['core', 'items']);
  expect(settings).toEqual(settingsFromEnvironment({ Settings__BcryptCost: '10' }));
});

test.each(['INSTANCE', 'TABLE_NAME'])('no runtime is created when %s is missing', (missing) => {
  vi.stubEnv('INSTANCE', 'core').stubEnv('TABLE_NAME', 'items').stubEnv(missing, undefined);
  expect(runtimeFromEnvironment).toThrow(`${missing} is not set`);
});

test('a runtime has the clock and the randomness of the process', () => {
  const table = openTable('items');
  const settings = settingsFromEnvironment({});
  const runtime = runtimeOn(table, 'core', settings);
  expect(runtime).toMatchObject({ table, settings, instanceName: 'core', now: Date.now });
  expect(runtime.random(32)).toHaveLength(32);
  expect(runtime.random(32)).not.toEqual(runtime.random(32));
  const ids = Array.from({ length: 100 }, () => runtime.uuid());
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect([...new Set(ids)].sort()).toEqual(ids);
});
