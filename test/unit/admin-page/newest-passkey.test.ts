import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fill, openPage, press, settle, texts } from './opened.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(NOW);
});
afterEach(() => vi.restoreAllMocks());

/** Logs in, and answers a newest passkey of an age; resolves to what the page says about it. */
async function logIn(days: number | undefined) {
  const { of } = await openPage({ hasSession: false });
  await fill({ Username: 'ada', Password: 'correct horse' });
  await press('Log in');
  const newest_passkey = days === undefined ? null : { name: 'foreign', created_at: daysAgo(days) };
  of('account/login').at(-1)?.answer({ username: 'ada', newest_passkey });
  await settle();
  return told();
}
const told = () => texts('main > .card').join();

test.each([0, 1, 30])('a login shows a passkey that is %i days old, with what to do', async (days) => {
  const text = await logIn(days);
  expect(text).toContain('A passkey foreign was added to your account');
  expect(text).toContain('If it was not you, ask an administrator at once for a one-time code');
  expect(texts('main > .card a')).toEqual(['remove it']);
});

test.each([31, 400, undefined])('a login shows no passkey that is %s days old', async (days) => {
  expect(await logIn(days)).toBe('');
});

test('each login shows a new passkey until the person knows it, and a newer one again', async () => {
  expect(await logIn(5)).not.toBe('');
  expect(await logIn(5)).not.toBe('');
  await press('It was me');
  expect(told()).toBe('');
  expect(await logIn(5)).toBe('');
  expect(await logIn(1)).not.toBe('');
});
