import { describe, expect, test } from 'vitest';
import {
  MAX_RESOURCE_MINUTES,
  MAX_RESOURCES,
  ownResources,
  RESOURCE_MINUTES,
  resourcesFromEnvironment,
  resourcesIn,
} from '#lib/resource/resources';

const OWN = ownResources({ Issuer: 'https://accounts.example.com', ApiUrl: '' });
const ORDERS = { audience: 'https://orders.example.com' };
const read = (...entries: readonly object[]) => resourcesIn(JSON.stringify(entries), OWN);
const faultOf = (list: unknown) => {
  try {
    resourcesIn(typeof list === 'string' ? list : JSON.stringify(list), OWN);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

test('an empty setting has no resources', () => {
  expect(resourcesIn('')).toEqual([]);
  expect(resourcesFromEnvironment({ Resources: '' })).toEqual([]);
});

test('a resource has five minutes and all roles by default, and fifteen minutes at most', () => {
  expect([RESOURCE_MINUTES, MAX_RESOURCE_MINUTES]).toEqual([5, 15]);
  expect(read(ORDERS)).toEqual([{ ...ORDERS, minutes: 5 }]);
  for (const minutes of [1, 15]) expect(read({ ...ORDERS, minutes })).toEqual([{ ...ORDERS, minutes }]);
  const roles = ['reads', 'sys_tokens'];
  expect(read({ ...ORDERS, roles })).toEqual([{ ...ORDERS, roles, minutes: 5 }]);
});

test('this API has three names as a resource', () => {
  expect(OWN).toEqual([
    'https://accounts.example.com',
    'https://accounts.example.com/',
    'https://accounts.example.com/api/core',
  ]);
  expect(ownResources({ Issuer: '', ApiUrl: 'http://127.0.0.1:3000/v1' })[0]).toBe('http://127.0.0.1:3000');
});

describe('an audience', () => {
  test.each([
    'https://orders.example.com',
    'https://orders.example.com/',
    'https://Orders.example.com:8443/v1?tenant=a',
    'http://orders.internal',
    'urn:example:orders',
    'api://orders',
    'spiffe://example.com/orders',
  ])('stays as it is given: %s', (audience) => {
    expect(read({ audience })).toMatchObject([{ audience }]);
  });

  test.each([
    ['', 'Must be an absolute URI'],
    ['orders', 'Must be an absolute URI'],
    ['/orders', 'Must be an absolute URI'],
    ['//orders.example.com', 'Must be an absolute URI'],
    ['orders.example.com', 'Must be an absolute URI'],
    ['https:', 'Must be an absolute URI'],
    [' https://orders.example.com', 'Must be an absolute URI'],
    ['https://orders.example.com/a b', 'Must be an absolute URI'],
    ['https://orders.example.com/ü', 'Must be an absolute URI'],
    ['https://orders.example.com\n', 'Must be an absolute URI'],
    ['https://orders.example.com#a', 'Must not have a fragment'],
    ['urn:example:orders#', 'Must not have a fragment'],
    [`https://${'o'.repeat(492)}`, undefined],
    [`https://${'o'.repeat(493)}`, 'Must have at most 500 characters'],
  ])('is refused: %j', (audience, fault) => {
    const named = `Settings:Resources: "${audience}" (1) audience: ${fault}`;
    expect(faultOf([{ audience }])).toBe(fault && named);
  });

  test.each(OWN)('is another service than this API: %s', (audience) => {
    const fault = 'Must be another service: tokens for this API are sessions';
    expect(faultOf([ORDERS, { audience }])).toBe(`Settings:Resources: "${audience}" (2) audience: ${fault}`);
  });

  test('differs by a final slash from another one', () => {
    expect(read(ORDERS, { audience: `${ORDERS.audience}/` })).toHaveLength(2);
  });
});

const AT = 'Settings:Resources: "https://orders.example.com" (1)';
test.each<[string, unknown]>([
  ['Settings:Resources expects a JSON list of resources', '[{'],
  ['Settings:Resources: Must be a list', ORDERS],
  ['Settings:Resources: (2) audience: Is required', [ORDERS, { minutes: 5 }]],
  ['Settings:Resources: (1) audience: Must be a text', [{ audience: 1 }]],
  [`${AT} audiences: Unknown property`, [{ ...ORDERS, audiences: [] }]],
  [`${AT} minutes: Must be at least 1`, [{ ...ORDERS, minutes: 0 }]],
  [`${AT} minutes: Must be at most 15`, [{ ...ORDERS, minutes: 16 }]],
  [`${AT} minutes: Must be a whole number`, [{ ...ORDERS, minutes: 1.5 }]],
  [`${AT} minutes: Must be a number`, [{ ...ORDERS, minutes: '5' }]],
  [`${AT} roles: Must be a list`, [{ ...ORDERS, roles: 'reads' }]],
  [`${AT} roles: Must have at least 1 item`, [{ ...ORDERS, roles: [] }]],
  [`${AT} roles: Must have at most 100 items`, [{ ...ORDERS, roles: Array(101).fill('reads') }]],
  [`${AT} roles.1: Must be 1 to 64 letters, digits or . _ -`, [{ ...ORDERS, roles: ['reads', 'a b'] }]],
  [
    'Settings:Resources: "https://orders.example.com" (2) audience: Must not be repeated',
    [ORDERS, { ...ORDERS, minutes: 15 }],
  ],
  [
    `${AT} minutes: Must be at most 15\nSettings:Resources: "x" (2) audience: Must be an absolute URI`,
    [{ ...ORDERS, minutes: 60 }, { audience: 'x' }],
  ],
  [
    'Settings:Resources: Must have at most 100 items',
    Array.from({ length: 101 }, (_, n) => ({ audience: `urn:example:${n}` })),
  ],
])('a fault is named: %s', (fault, list) => {
  expect(faultOf(list)).toBe(fault);
});

test('the most resources are read', () => {
  expect(MAX_RESOURCES).toBe(100);
  expect(read(...Array.from({ length: 100 }, (_, n) => ({ audience: `urn:example:${n}` })))).toHaveLength(
    100,
  );
});
