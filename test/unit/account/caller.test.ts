import { describe, expect, test } from 'vitest';
import { authorize, type Caller } from '#lib/account/caller';
import { codeOf } from '../support/code-of.ts';

const caller = (...roles: string[]) => ({ username: 'Ada', roles }) as unknown as Caller;
const outcome = (access: Parameters<typeof authorize>[0], who: Caller, target?: string) =>
  codeOf(() => authorize(access, who, target));

test('any account may do what is for the authenticated', () => {
  expect(outcome('authenticated', caller())).toBeUndefined();
});

describe('what is for a role', () => {
  const access = { role: 'sys_administrator' } as const;

  test('is for its holders, also on their own account', () => {
    expect(outcome(access, caller('x', 'sys_administrator'))).toBeUndefined();
    expect(outcome(access, caller(), 'Ada')).toBe('forbidden');
  });

  test('is refused with the name of the role', () => {
    for (const role of ['sys_administrator', 'sys_tokens'] as const)
      expect(() => authorize({ role }, caller(), 'Ada')).toThrow(
        expect.objectContaining({ errors: [{ field: 'role', message: `Requires ${role}` }] }),
      );
  });

  test('is not for roles that resemble it', () => {
    expect(outcome(access, caller('SYS_ADMINISTRATOR', 'sys_admin', 'sys_tokens'))).toBe('forbidden');
  });

  test('sys_administrator does not include sys_tokens', () => {
    expect(outcome({ role: 'sys_tokens' }, caller('sys_administrator'))).toBe('forbidden');
  });
});

describe('what is for a role or oneself', () => {
  const access = { role: 'sys_administrator', orSelf: 'path' } as const;

  test('is for everyone without a target, or with oneself as the target in any case', () => {
    for (const target of [undefined, 'Ada', 'ADA', 'ada'])
      expect(outcome(access, caller(), target)).toBeUndefined();
  });

  test('is for holders of the role on others', () => {
    expect(outcome(access, caller(), 'Grace')).toBe('forbidden');
    expect(outcome(access, caller('sys_administrator'), 'Grace')).toBeUndefined();
  });
});
