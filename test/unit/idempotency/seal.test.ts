import { expect, test } from 'vitest';
import { seal, unseal } from '#lib/idempotency/seal';
import { seededBytes } from '../../names.ts';

const IDENTITY = { key: '1', by: 'ada' };
const PARTS = ['sealed', 'salt', 'tag'] as const;
const [one, other] = [seal('cst_ä', IDENTITY, seededBytes), seal('cst_ä', IDENTITY, seededBytes)];

test('unseal returns what the same key and account sealed', () => {
  expect(unseal(one, IDENTITY)).toBe('cst_ä');
  expect(JSON.stringify(one)).not.toContain('cst_');
  for (const part of PARTS) expect(one[part]).not.toBe(other[part]);
});

test.each([{ key: '2' }, { by: 'Ada' }, { key: IDENTITY.by, by: IDENTITY.key }])(
  'unseal returns undefined for another key or account: %j',
  (changed) => {
    expect(unseal(one, { ...IDENTITY, ...changed })).toBeUndefined();
  },
);

test.each(PARTS)('unseal returns undefined when the %s was changed', (part) => {
  const bytes = Buffer.from(one[part], 'base64url');
  bytes[0] = (bytes[0] as number) ^ 1;
  expect(unseal({ ...one, [part]: bytes.toString('base64url') }, IDENTITY)).toBeUndefined();
});
