import { expect, test } from 'vitest';
import { authorize } from '#lib/account/caller';
import type { Access } from '#lib/contract/contract';
import { refusal } from '../support/code-of.ts';
import { accountItem } from '../support/items.ts';

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
    const result = refusal(() => authorize(access, accountItem({ username: 'Ada', roles }), target));
    expect(result).toEqual(expected ? undefined : { code: 'forbidden', fields: ['role'] });
  },
);

test.each([ADMIN, TOKENS])('authorize names the role that is missing: $role', (access) => {
  expect(() => authorize(access, accountItem(), undefined)).toThrow(
    expect.objectContaining({ errors: [{ field: 'role', message: `Requires ${access.role}` }] }),
  );
});
