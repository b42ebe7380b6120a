import { expect, test } from 'vitest';
import { ATTRIBUTES } from '#lib/contract/attributes';

/** Attributes with which a write of another kind could reach a credential or a right, and their kinds. */
const CRITICAL: Readonly<Record<string, string>> = {
  roles: 'ACCOUNT',
  isactive: 'ACCOUNT',
  id: 'ACCOUNT',
  lockoutend: 'ACCOUNT',
  hash: 'PASSWORD',
  userid: 'TOKEN',
  token_roles: 'TOKEN',
  code_sha256: 'CODE',
  jwk: 'KEYS RESOURCE_KEYS',
  user_cancel: 'OUTBOX',
};

// A statement for transactions of several kinds permits the attributes of each kind for all of them.
test.each(Object.entries(CRITICAL))('%s is an attribute of %s only', (name, kind) => {
  const writes = Object.entries(ATTRIBUTES).filter(([, names]) =>
    (names as readonly string[]).includes(name),
  );
  const kinds = new Set(writes.map(([write]) => write.split(':')[0]));
  expect([...kinds].join(' ')).toBe(kind);
});
