import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { type Credential, createClient } from '#lib/client/index';
import { data, refused, type Scripted, scriptedService } from './scripted-service.ts';

const SECRET = 's3cr3t-of-the-test';

const credentials: [string, Credential][] = [
  ['a password', { username: 'ada', password: SECRET }],
  ['an API token', { token: SECRET }],
  ['a session', { session: SECRET }],
  ['a function', { session: () => SECRET }],
];

/** All that a log could have of a value, its causes included. */
const shown = (value: unknown) =>
  [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), String(value)].join('\n');

const thrown = async (asked: () => unknown) => {
  try {
    await asked();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
};

test.each(credentials)('%s stands neither in the client nor in a URL', async (_, credential) => {
  const { url, seen } = await scriptedService(() => data({ JWTtoken: SECRET, items: [] }));
  const client = createClient({ url, credential });
  await client.account.profile();
  await client.account.browse().next();
  expect(shown(client)).not.toContain(SECRET);
  expect(seen.map(({ path }) => path).join()).not.toContain(SECRET);
  expect(shown(seen), 'what was sent').toContain(SECRET);
});

const replies: [string, Scripted][] = [
  ['a refusal', refused(403, 'forbidden')],
  ['a refused login', refused(401, 'invalid_credentials')],
  ['a cut', 'cut'],
  ['no JSON', { body: SECRET }],
  ['no answer', 'hang'],
];

test.each(
  credentials.flatMap(([name, credential]) =>
    replies.map(([what, reply]) => [what, name, reply, credential] as const),
  ),
)('the error of %s does not show %s', async (_what, _name, reply, credential) => {
  const { url } = await scriptedService(() => reply);
  const { token } = createClient({ url, credential, tries: 1, timeoutMs: 100 });
  const error = await thrown(() => token.delete({ token_name: 'ci', username: 'ada' }));
  expect(shown(error)).toContain('CoreAccountError');
  expect(shown(error)).not.toContain(SECRET);
});

test.each<[string, Credential]>([
  ['a line break', { token: `${SECRET}\n` }],
  ['a letter that no header takes', { session: `${SECRET}ü` }],
  ['nothing', { token: '' }],
])('a credential with %s is refused before it is sent, unseen', async (_, credential) => {
  const error = await thrown(() => createClient({ url: 'http://127.0.0.1:9', credential }));
  expect(error).toMatchObject({ code: 'invalid_request', errors: [{ field: 'credential' }] });
  expect(shown(error)).not.toContain(SECRET);
});

test.each([
  `https://ada:${SECRET}@core.example`,
  `https://${SECRET}@core.example`,
  `https://core.example?ptoken=${SECRET}`,
  `https://core.example#${SECRET}`,
  `ftp://${SECRET}`,
  SECRET,
  '',
])('%j is no base URL, and is not shown', async (url) => {
  const error = await thrown(() => createClient({ url }));
  expect(error).toBeInstanceOf(TypeError);
  expect(shown(error)).not.toContain(SECRET);
});
