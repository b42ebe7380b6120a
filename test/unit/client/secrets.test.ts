import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { type Credential, createClient } from '#lib/client/index';
import { endLimits } from '../support/limits.ts';
import { data, refused, type Scripted, scriptedService } from './scripted-service.ts';

const SECRET = 's3cr3t-of-the-test';
const credentials: [string, Credential][] = [
  ['a password', { username: 'ada', password: SECRET }],
  ['an API token', { token: SECRET }],
  ['a session', { session: SECRET }],
  ['a function', { session: () => SECRET }],
  ['an identity', { identity: { trust: 'ci@deployer', token: () => SECRET } }],
];

/** All text of a value that a log could contain, its causes included. */
const shown = (value: unknown) =>
  [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), String(value)].join('\n');
const thrownBy = (work: () => Promise<unknown>) => work().catch((error: unknown) => error);

test.each(credentials)('a client keeps %s out of itself and of URLs', async (_name, credential) => {
  const { body } = data({ JWTtoken: SECRET, items: [] });
  const reply = { body: { ...(body as object), access_token: SECRET, expires_in: 60 } };
  const { seen, ...client } = await scriptedService(() => reply, { credential });
  await client.account.profile();
  await client.account.browse().next();
  expect(shown(client)).not.toContain(SECRET);
  expect(seen.map(({ path }) => path).join()).not.toContain(SECRET);
  expect(shown(seen), 'the requests').toContain(SECRET);
});

const replies: [string, Scripted][] = [
  ['a refusal', refused(403, 'forbidden')],
  ['a refused login', refused(401, 'invalid_credentials')],
  ['a cut', 'cut'],
  ['no JSON', { body: SECRET }],
  ['no answer', 'hang'],
];
test.each(replies)('the error of %s shows no credential', async (_name, reply) => {
  if (reply === 'hang') endLimits();
  for (const [, credential] of credentials) {
    const { token } = await scriptedService(() => reply, { credential, tries: 1, timeoutMs: 100 });
    const error = await thrownBy(() => token.delete({ token_name: 'ci', username: 'ada' }));
    expect(shown(error)).toContain('CoreAccountError');
    expect(shown(error)).not.toContain(SECRET);
  }
});

test.each<[string, Credential]>([
  ['a line break', { token: `${SECRET}\n` }],
  ['a line break before it', { token: `\n${SECRET}` }],
  ['a letter that no header takes', { session: `${SECRET}ü` }],
  ['nothing', { token: '' }],
])('a client refuses a credential with %s, and does not show it', async (_name, credential) => {
  const error = await thrownBy(async () => createClient({ url: 'http://127.0.0.1:9', credential }));
  const errors = [{ field: 'credential', message: 'Must be visible characters of ASCII' }];
  expect(error).toMatchObject({ operation: 'createClient', code: 'invalid_request', errors });
  expect(shown(error)).not.toContain(SECRET);
});

test.each([
  ...[`https://ada:${SECRET}@core.example`, `https://${SECRET}@core.example`],
  ...[`https://core.example?ptoken=${SECRET}`, `https://core.example#${SECRET}`],
  ...[`ftp://${SECRET}`, `xhttp://${SECRET}`, `httpx://${SECRET}`, SECRET, ''],
])('a client refuses the base URL %j, and does not show it', async (url) => {
  const error = await thrownBy(async () => createClient({ url }));
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toContain('url must be an http or https URL');
  expect(shown(error)).not.toContain(SECRET);
});
