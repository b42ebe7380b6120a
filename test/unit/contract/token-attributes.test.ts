import { expect, test } from 'vitest';
import { ATTRIBUTES } from '#lib/contract/attributes';
import { functions, needsOf } from '#lib/routes';

/** The attributes of the writes of some kinds of items. */
const attributesOf = (kinds: RegExp) =>
  new Set<string>(Object.entries(ATTRIBUTES).flatMap(([kind, names]) => (kinds.test(kind) ? names : [])));

test('tokens share no attribute with accounts and passwords, except the keys of the index', () => {
  const others = attributesOf(/^(ACCOUNT(?!:former-name)|PASSWORD)/);
  const shared = [...attributesOf(/^(TOKEN|NAMES|EXPIRING|REVOKED)/)].filter((name) => others.has(name));
  expect(shared.sort()).toEqual(['GSI1PK', 'GSI1SK']);
});

test('no transaction puts or deletes an item of a token', () => {
  const needs = functions.flatMap((definition) => [...needsOf(definition)]);
  const pattern = /^transaction:(Put|Delete)Item:(TOKEN|NAMES|EXPIRING|REVOKED)/;
  expect(needs.filter((need) => pattern.test(need))).toEqual([]);
});
