import { createServer } from 'node:http';
import { dictionary } from '@zxcvbn-ts/language-common';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { refuseCommon } from '#lib/password/blocklist';
import { BREACH_CHECK_MS, refuseBreached, UNCHECKED } from '#lib/password/breached';
import { newPassword } from '#lib/password/hash';
import { MIN_BYTES } from '#lib/password/length';
import { listen } from '../../../infra/local/machine/listen.ts';
import { logLines } from '../support/log-lines.ts';

const COMMON = {
  code: 'invalid_request',
  errors: [{ field: 'it', message: 'Must not be a common password' }],
};

test('the list of common passwords has more than 10,000 that are long enough', async () => {
  const common = new Set(dictionary['passwords-common']);
  const long = [...common].filter((one) => Buffer.byteLength(one) >= MIN_BYTES);
  expect(long.length).toBeGreaterThan(10_000);
  // They have the form of the search. A hundredth of them is tested, to save time.
  expect(long.filter((one) => one !== one.normalize('NFKC').toLowerCase())).toEqual([]);
  for (const password of long.filter((_, n) => n % 100 === 0))
    await expect(refuseCommon(password, 'it')).rejects.toMatchObject(COMMON);
});

test.each([
  ['Password1', true],
  ['QWERTYUIOP', true],
  ['ｑｗｅｒｔｙｕｉｏｐ', true],
  ['correct horse', false],
  ['qwertyuiopq-', false],
  [`qwertyuiop${' '.repeat(100)}`, false],
])('the list has %j: %s', async (password, isCommon) => {
  const refused = refuseCommon(password, 'it');
  await (isCommon ? expect(refused).rejects.toMatchObject(COMMON) : refused);
});

test('a password that is too long is not normalised, which takes quadratic time', async () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  await refuseCommon('a'.repeat(73), 'it');
  expect(normalize).not.toHaveBeenCalled();
});

const PASSWORD = newPassword('correct horse', '');
const SUFFIX = '1E2C4F2DB8A3C2B5C7B3F0D9E5C1A7E9F3B';
let answer: (url: string, headers: object) => { status?: number; text?: string } | 'late';
let time: AbortController;
const seen: { url: string; padding: unknown }[] = [];
const server = createServer(({ url = '', headers }, response) => {
  seen.push({ url, padding: headers['add-padding'] });
  const reply = answer(url, headers);
  if (reply === 'late') return time.abort();
  return response.writeHead(reply.status ?? 200, { location: '/range/other' }).end(reply.text ?? '');
});
let base: string;
beforeAll(async () => {
  const { url, close } = await listen(server);
  base = `${url}/range`;
  return close;
});
beforeEach(() => {
  time = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => time.signal);
  return () => vi.restoreAllMocks();
});

const lines = logLines();
const check = async (reply: typeof answer, service = base) => {
  answer = reply;
  seen.length = 0;
  return refuseBreached(PASSWORD, service, 'it').then(
    () => lines.pop()?.['message'] ?? 'accepted',
    ({ errors }) => errors,
  );
};
const BREACHED = [{ field: 'it', message: 'Must not be in a list of breached passwords' }];
const digestOf = async () => {
  const digest = await crypto.subtle.digest('SHA-1', Buffer.from(PASSWORD));
  return Buffer.from(digest).toString('hex').toUpperCase();
};

test('a range service receives five digits of the hash, and a request for padding', async () => {
  const url = `/range/${(await digestOf()).slice(0, 5)}`;
  await check(() => ({}));
  expect(seen).toEqual([{ url, padding: 'true' }]);
});

test.each<[string, (suffix: string) => ReturnType<typeof answer>, unknown]>([
  ['its suffix', (suffix) => ({ text: `${SUFFIX}:1\r\n${suffix}:42\r\n${SUFFIX}:0` }), BREACHED],
  ['its suffix in lower case', (suffix) => ({ text: `${suffix.toLowerCase()}:1` }), BREACHED],
  ['its suffix as padding', (suffix) => ({ text: `${suffix}:0` }), 'accepted'],
  ['other suffixes', () => ({ text: `${SUFFIX}:1` }), 'accepted'],
  ['its suffix without a count', (suffix) => ({ text: suffix }), 'accepted'],
  ['an error', (suffix) => ({ status: 503, text: `${suffix}:1` }), UNCHECKED],
  ['a redirect', (suffix) => ({ status: 302, text: `${suffix}:1` }), UNCHECKED],
  ['nothing in time', () => 'late', UNCHECKED],
])('a range service that answers %s', async (_what, reply, expected) => {
  const suffix = (await digestOf()).slice(5);
  expect(await check(() => reply(suffix))).toEqual(expected);
  expect(AbortSignal.timeout).toHaveBeenCalledWith(BREACH_CHECK_MS);
  expect(seen).toHaveLength(1);
});

test('a password is accepted when the range service is unreachable, and not checked without the setting', async () => {
  expect(await check(() => ({}), 'http://127.0.0.1:1/range')).toBe(UNCHECKED);
  expect(await check(() => ({}), '')).toBe('accepted');
  expect(seen).toEqual([]);
});
