import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { seal, unseal } from '#lib/token/seal';

const repeatable = { key: '1', credential: 'cst_of-the-caller' };
const PARTS = ['sealed', 'salt', 'tag'] as const;
const [one, other] = [seal('cst_ä', repeatable, randomBytes), seal('cst_ä', repeatable, randomBytes)];

test('unseal returns what the same key and credential sealed', () => {
  expect(unseal(one, { ...repeatable })).toBe('cst_ä');
  expect(JSON.stringify(one)).not.toContain('cst_');
  for (const part of PARTS) expect(one[part]).not.toBe(other[part]);
});

test.each([
  { key: '2' },
  { credential: 'cst_of-the-calleR' },
  { credential: '' },
  { key: repeatable.credential, credential: repeatable.key },
])('unseal returns undefined for another key or credential: %j', (changed) => {
  expect(unseal(one, { ...repeatable, ...changed })).toBeUndefined();
});

test.each(PARTS)('unseal returns undefined when the %s was changed', (part) => {
  const bytes = Buffer.from(one[part], 'base64url');
  bytes[0] = (bytes[0] as number) ^ 1;
  expect(unseal({ ...one, [part]: bytes.toString('base64url') }, repeatable)).toBeUndefined();
});
