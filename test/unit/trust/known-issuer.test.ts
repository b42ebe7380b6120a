import { expect, test } from 'vitest';
import { issuersIn } from '#lib/trust/issuers';
import { knownIssuers } from '#lib/trust/known-issuer';

test('the issuers of a page have their platform and the audience that tokens must have, and no keys', () => {
  const issuers = issuersIn(
    JSON.stringify([
      { name: 'github', issuer: 'https://token.actions.githubusercontent.com' },
      { name: 'build', issuer: 'https://build.example.com', audience: 'accounts' },
    ]),
  );
  expect(knownIssuers(issuers, 'https://accounts.example.com')).toEqual([
    {
      name: 'github',
      issuer: 'https://token.actions.githubusercontent.com',
      platform: 'github',
      audience: 'https://accounts.example.com',
    },
    { name: 'build', issuer: 'https://build.example.com', platform: 'other', audience: 'accounts' },
  ]);
});
