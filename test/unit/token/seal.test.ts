import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { seal, unseal } from '#lib/token/seal';

const repeatable = { key: '1', credential: 'cst_of-the-caller' };

test('the same key and credential open what they have sealed', () => {
  const sealed = seal('cst_ä', repeatable, randomBytes);
  expect(unseal(sealed, { ...repeatable })).toBe('cst_ä');
  expect(JSON.stringify(sealed)).not.toContain('cst_');
});

test.each([
  ['another key', { key: '2' }],
  ['another credential', { credential: 'cst_of-the-calleR' }],
  ['no credential', { credential: '' }],
  ['key and credential in place of each other', { key: repeatable.credential, credential: repeatable.key }],
])('%s opens nothing', (_name, other) => {
  expect(unseal(seal('x', repeatable, randomBytes), { ...repeatable, ...other })).toBeUndefined();
});

test.each(['sealed', 'salt', 'tag'] as const)('nothing is opened whose %s was changed', (part) => {
  const sealed = seal('secret', repeatable, randomBytes);
  const bytes = Buffer.from(sealed[part], 'base64url');
  bytes[0] = (bytes[0] as number) ^ 1;
  expect(unseal({ ...sealed, [part]: bytes.toString('base64url') }, repeatable)).toBeUndefined();
});

test('no two seals of a secret are alike', () => {
  const [one, other] = [seal('x', repeatable, randomBytes), seal('x', repeatable, randomBytes)];
  for (const part of ['sealed', 'salt', 'tag'] as const) expect(one[part]).not.toBe(other[part]);
});
