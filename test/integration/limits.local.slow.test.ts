import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Refusals that an account at its limits gets. */
const REFUSED = {
  'account.access': '409 team_limit',
  // It has every role of the service.
  'account.access, into a machine': '409 machine_account',
  // Its token is limited to addresses, which no other service would know.
  'oauth.token, by an API token for another service': '400 invalid_target',
  'oauth.token, by a session for another service': '400 invalid_target',
  'token.create': '409 token_limit',
  'token.create, with an end': '409 token_limit',
  // The machine has a trust of each name that samples have.
  'trust.create': '409 trust_exists',
  'trust.create, one more': '409 trust_limit',
};

/** Whether Markdown is too complex depends on the largest body, which a raised limit permits. */
const isOfRule = ([what]: readonly [string, string]) => what !== 'system.preview of the largest body';

interface Ran {
  readonly answers: Readonly<Record<string, string>>;
  readonly broken: readonly string[];
}

// `npm run limits -- --limit MAX_TEAMS --factor 2` finds the one that breaks.
test.each([1, 1.5, 2])(
  'every request to an account that is full succeeds or is refused by its rule with all limits times %d',
  { timeout: 1_200_000 },
  async (factor) => {
    const args = ['test/limits/main.ts', '--factor', `${factor}`];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
    const { answers, broken } = JSON.parse(stdout.slice(stdout.lastIndexOf('{"answers"'))) as Ran;
    expect(broken).toEqual([]);
    const refused = Object.entries(answers).filter(([, answer]) => !/^(200|exit 0)$/.test(answer));
    expect(Object.fromEntries(refused.filter(isOfRule))).toEqual(REFUSED);
  },
);
