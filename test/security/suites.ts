/** What the tests of the security of this service show, and where they stand. */
export const SUITES: readonly { readonly what: string; readonly paths: readonly string[] }[] = [
  {
    what: 'forged session tokens, refused',
    paths: ['algorithms', 'claims', 'forms', 'keys', 'signatures'].map(
      (kind) => `test/integration/security/forged-${kind}.test.ts`,
    ),
  },
  { what: 'mutations of API tokens, refused', paths: ['test/integration/security/api-tokens.test.ts'] },
  {
    what: 'credentials that have ended, refused',
    paths: ['test/integration/security/ended-credentials.test.ts'],
  },
  {
    what: 'two credentials in one request',
    paths: ['test/integration/security/credential-pairs.test.ts'],
  },
  {
    what: 'requests of other sites with the cookie',
    paths: ['test/integration/security/cross-site.test.ts'],
  },
  { what: 'every caller on every route', paths: ['test/integration/security/principals.test.ts'] },
  {
    what: 'guessing: pairs, addresses, names, lockouts',
    paths: [
      'test/integration/login-limits.test.ts',
      'test/integration/address-limit.test.ts',
      'test/unit/login/',
    ],
  },
  {
    what: 'callers who lose their permission while they write',
    paths: ['test/unit/function/permission.test.ts'],
  },
  { what: 'writes whose answer is lost', paths: ['test/unit/function/lost-answers.test.ts'] },
  {
    what: 'locks and cancels under a flood, with conflicts',
    paths: ['test/unit/lifecycle/flood.test.ts'],
  },
  { what: 'concurrent histories', paths: ['test/integration/histories.test.ts'] },
  {
    what: 'secrets in logs and events',
    paths: ['test/integration/secrecy.test.ts', 'test/unit/redact.test.ts'],
  },
  { what: 'Markdown that attacks', paths: ['test/unit/system/'] },
  {
    what: 'the local engine, bus and secret store',
    paths: ['test/integration/local-services.test.ts', 'test/unit/local/engine-gate.test.ts'],
  },
];
