import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { seal, unseal } from '#lib/idempotency/seal';

const repeatable = { key: '1', by: 'ada', credential: 'cst_of-the-caller' };
const PARTS = ['sealed', 'salt', 'tag'] as const;
const [one, other] = [seal('cst_ä', repeatable, randomBytes), seal('cst_ä', repeatable, randomBytes)];

test('unseal returns what the same key and account sealed, with any credential', () => {
  expect(unseal(one, { ...repeatable, credential: 'ey.new.login' })).toBe('cst_ä');
  expect(JSON.stringify(one)).not.toContain('cst_');
  for (const part of PARTS) expect(one[part]).not.toBe(other[part]);
});

test.each([{ key: '2' }, { by: 'Ada' }, { key: repeatable.by, by: repeatable.key }])(
  'unseal returns undefined for another key or account: %j',
  (changed) => {
    expect(unseal(one, { ...repeatable, ...changed })).toBeUndefined();
  },
);

test('unseal returns what an earlier version sealed with the credential, for that credential only', () => {
  const former = { sealed: 'HxnSPW8A', salt: 'A'.repeat(43), tag: '7N77cRVttmPEe12v3rTa-Q' };
  expect(unseal(former, repeatable)).toBe('cst_ä');
  expect(unseal(former, { ...repeatable, credential: 'cst_of-the-calleR' })).toBeUndefined();
});

test.each(PARTS)('unseal returns undefined when the %s was changed', (part) => {
  const bytes = Buffer.from(one[part], 'base64url');
  bytes[0] = (bytes[0] as number) ^ 1;
  expect(unseal({ ...one, [part]: bytes.toString('base64url') }, repeatable)).toBeUndefined();
});
