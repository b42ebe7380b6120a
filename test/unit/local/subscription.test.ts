import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DataDirectory } from '#infra/local/data-directory';
import { readOptions } from '#infra/local/flags';
import { newSecret } from '#infra/local/services/signature';
import { subscriptionOf } from '#infra/local/subscription';

const terminal = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
const said = () => terminal.mock.calls.map(([text]) => text).join('');
afterAll(() => terminal.mockRestore());
beforeEach(() => {
  terminal.mockClear();
});

const SUBSCRIBE = ['--subscribe', 'http://127.0.0.1:8080/hook'];

test.each([
  ['an address that is none', ['--subscribe', '127.0.0.1:8080'], 'an http or https URL'],
  ['a password in the address', ['--subscribe', 'http://a:b@127.0.0.1/'], 'posts are signed'],
  ['a pattern of nobody', ['--pattern', '{"source":["x"]}'], 'are for --subscribe <url>'],
  ['a secret of nobody', ['--subscribe-secret', 'x'], 'are for --subscribe <url>'],
  ['no JSON', [...SUBSCRIBE, '--pattern', '{'], 'Reason: it is not JSON'],
  [
    'a pattern that PutRule refuses',
    [...SUBSCRIBE, '--pattern', '{"detail":{"app":"crm"}}'],
    'Event pattern is not valid. Reason: "app" must be an object or an array (at detail.app)',
  ],
])('the start fails with %s, and says why', (_, args, reason) => {
  expect(readOptions(args)).toBe(2);
  expect(said()).toContain(reason);
});

describe('what is posted is signed', () => {
  let subscriberSecret: string;
  beforeEach(() => {
    subscriberSecret = join(mkdtempSync(join(tmpdir(), 'subscription-')), 'subscriber-secret');
  });
  const start = (user: NodeJS.ProcessEnv = {}, ...more: string[]) => {
    const options = readOptions([...SUBSCRIBE, ...more]);
    if (typeof options === 'number') throw new Error(said());
    const { subscription, newSecret: shown } = subscriptionOf(options, user, {
      subscriberSecret,
    } as DataDirectory);
    return { secret: subscription?.secret, shown };
  };
  const kept = () => readFileSync(subscriberSecret, 'utf8').trim();

  test('with a secret that the first start makes, shows and keeps for its owner', () => {
    const first = start();
    expect(first.shown).toBe(first.secret);
    expect(kept()).toBe(first.secret);
    expect(statSync(subscriberSecret).mode & 0o777).toBe(0o600);
    expect(start()).toEqual({ secret: first.secret, shown: undefined });
  });

  test.each([
    ['flag', (secret: string) => start({ SUBSCRIBE_SECRET: newSecret() }, '--subscribe-secret', secret)],
    ['environment', (secret: string) => start({ SUBSCRIBE_SECRET: secret })],
  ])('with the one of the %s, which is kept in its place and not shown', (_, given) => {
    start();
    const secret = newSecret();
    expect(given(secret)).toEqual({ secret, shown: undefined });
    expect(kept()).toBe(secret);
    expect(start()).toEqual({ secret, shown: undefined });
  });

  test('with none that is too short; the refusal does not tell it', () => {
    const guessable = 'whsec_Z3Vlc3NhYmxl';
    expect(() => start({ SUBSCRIBE_SECRET: guessable })).toThrow(/^--subscribe-secret, or SUBSCRIBE_SECRET/);
    expect(() => start({}, '--subscribe-secret', guessable)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(guessable) }),
    );
    expect(said()).not.toContain(guessable);
  });

  test('with none that the file has lost', () => {
    writeFileSync(subscriberSecret, '');
    const { secret, shown } = start();
    expect(shown).toBe(secret);
    expect(kept()).toBe(secret);
  });
});
