import { expect, test } from 'vitest';
import { authorize, stillPermitted } from '#lib/account/caller';
import type { Access } from '#lib/contract/contract';
import { Failure } from '#lib/failure/failure';
import { type Account, FOREVER } from '#lib/item/account';
import type { CredentialLimits } from '#lib/item/token';
import { withOffset } from '#lib/time';
import { codeOf, refusal } from '../support/code-of.ts';
import { accountItem, NOON } from '../support/items.ts';

const ADMIN = { role: 'sys_administrator' } as const;
const TOKENS = { role: 'sys_tokens' } as const;
const OR_SELF = { ...ADMIN, orSelf: 'path' } as const;

test.each<[Access, string[], string | undefined, boolean]>([
  ['authenticated', [], undefined, true],
  [ADMIN, ['x', 'sys_administrator'], undefined, true],
  [ADMIN, [], 'Ada', false],
  [ADMIN, ['SYS_ADMINISTRATOR', 'sys_admin', 'sys_tokens'], undefined, false],
  [TOKENS, ['sys_administrator'], undefined, false],
  [OR_SELF, [], undefined, true],
  [OR_SELF, [], 'Ada', true],
  [OR_SELF, [], 'ADA', true],
  [OR_SELF, [], 'Grace', false],
  [OR_SELF, ['sys_administrator'], 'Grace', true],
])(
  'authorize(%j) of Ada with the roles %j for the target %j returns %j',
  (access, roles, target, expected) => {
    const result = refusal(() =>
      authorize(access, accountItem({ username: 'Ada', roles }), undefined, target),
    );
    expect(result).toEqual(expected ? undefined : { code: 'forbidden', fields: ['role'] });
  },
);

test.each([ADMIN, TOKENS])('authorize names the role that is missing: $role', (access) => {
  expect(() => authorize(access, accountItem(), undefined, undefined)).toThrow(
    expect.objectContaining({ errors: [{ field: 'role', message: `Requires ${access.role}` }] }),
  );
});

test.each<[readonly string[], string | undefined]>([
  [['other', ADMIN.role], undefined],
  [['other'], 'forbidden'],
  [[], 'forbidden'],
])('authorize counts of the roles of a caller only those of a credential limited to %j', (roles, code) => {
  const caller = accountItem({ roles: [ADMIN.role] });
  expect(codeOf(() => authorize(ADMIN, caller, { roles }, undefined))).toBe(code);
});

test.each<[string, CredentialLimits | undefined]>([
  ['has no limits', {}],
  ['has other limits than roles', { access: 'read', addresses: ['::1'], expires_at: NOON }],
  ['is unknown', undefined],
])('authorize counts all roles of a caller when the credential %s', (_what, limits) => {
  const caller = accountItem({ roles: [ADMIN.role] });
  expect(authorize(ADMIN, caller, limits, undefined)).toBe(ADMIN.role);
});

test.each([{ roles: [] }, { roles: ['other'] }, { roles: [ADMIN.role] }])(
  'authorize needs no role for oneself when the credential has the roles $roles',
  (limits) => {
    const caller = accountItem({ username: 'Ada', roles: [ADMIN.role] });
    for (const target of ['Ada', undefined])
      expect(authorize(OR_SELF, caller, limits, target)).toBeUndefined();
  },
);

test('authorize gives no role that the account has lost to a credential limited to it', () => {
  const limits = { roles: [ADMIN.role] };
  expect(codeOf(() => authorize(ADMIN, accountItem(), limits, undefined))).toBe('forbidden');
});

const LOCKED = { lockoutend: FOREVER };
const ending = (end: number) => ({ lockoutend: withOffset(end), lock_reason: '', transitions: 8 });

test.each<[string, Partial<Account> | undefined, string | undefined]>([
  ['fails for another reason when the caller is as read', {}, undefined],
  ['is refused when the caller was removed', undefined, 'unauthenticated'],
  ['is refused when the caller was locked', LOCKED, 'unauthenticated'],
  ['is refused when the caller is locked for another millisecond', ending(NOON + 1), 'unauthenticated'],
  ['may be repeated when the lock of the caller ends', ending(NOON), 'unavailable'],
  ['is refused when the caller was cancelled', { isactive: false }, 'unauthenticated'],
  ['is refused when the caller lost the role', { roles: [] }, 'forbidden'],
  ['may be repeated after another transition of the caller', { transitions: 8 }, 'unavailable'],
])('a write of a request %s', (_title, change, expected) => {
  const read = accountItem({ roles: ['sys_administrator'], transitions: 7 });
  const { otherwise } = stillPermitted(read, 'sys_administrator', () => NOON);
  const refused = otherwise?.(change && { ...read, ...change });
  expect(refused instanceof Failure ? refused.code : refused).toBe(expected);
  if (expected === 'unavailable') expect(refused).toMatchObject({ retryAfter: 1 });
});
