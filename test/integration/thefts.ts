import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TokenClaims } from '#infra/local/issuer/forms';
import { startIssuer } from '#infra/local/issuer/start-issuer';
import { readAccount } from '#lib/account/account';
import { openTarget } from '../../infra/admin/target.ts';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';
import { run } from './operator.ts';
import { type Call, call, newPasswordText, noted, uniqueName } from './service.ts';
import { ALL_ROLES, type Thief, thiefOn } from './thief.ts';

/** Platforms of machines: a token of the first one has one use. */
const ISSUERS = ['github', 'kubernetes'] as const;

/** An account with its password and its token `laptop`. */
export interface Owner {
  readonly username: string;
  readonly password: string;
  readonly token: string;
}

/** Starts an instance of its own with accounts to steal from: some remedies end the credentials of all accounts. */
export async function openThefts(env: Record<string, string> = {}) {
  const data = newFolder();
  const issuers = await startIssuer();
  // Keys that are fetched come in time only on a machine that is not busy.
  const pasted = ISSUERS.map(async (name) => ({
    ...{ name, platform: name, issuer: issuers.issuerOf(name).url },
    jwks: await issuers.issuerOf(name).keySet(),
  }));
  const Settings__Issuers = JSON.stringify(await Promise.all(pasted));
  const { ready } = await startInstance({ data, env: { Settings__Issuers, ...env } });
  const base = ready.url;
  const where = ['--data', data];
  const target = await openTarget({ data });

  /** Runs an operator command; resolves to the secret that it prints. */
  async function command(text: string, input = ''): Promise<string> {
    const { code, stdout, stderr } = await run(text.split(' '), input, where);
    expect(code, `${text}: ${stderr}`).toBe(0);
    return noted(stdout.trim());
  }

  async function create(kind: string, ...roles: readonly string[]): Promise<Owner> {
    const [username, password] = [uniqueName(kind), newPasswordText()];
    const options = roles.map((role) => ` --role ${role}`).join('');
    await command(`account create ${username}${options} --password-stdin`, password);
    return { username, password, token: await command(`token create laptop ${username}`) };
  }

  /** Creates a machine, for which a person answers. */
  async function createMachine(kind: string, { username: owner }: Owner): Promise<string> {
    const machine = uniqueName(kind);
    await command(`account create ${machine} --kind machine --owner ${owner}`);
    return machine;
  }

  /** A new token of a platform for this instance. @param claims other than those of its example */
  const tokenOf = async (platform: (typeof ISSUERS)[number], claims: TokenClaims = {}) =>
    noted(await issuers.issuerOf(platform).token({ audience: new URL(base).origin, claims }));

  /** The credential of a thief after it has stolen something of an account. */
  type Theft = (thief: Thief, owner: Owner) => Promise<Call>;
  const session: Theft = async (thief, { username, password }) => ({
    jwt: await thief.logIn(username, password),
  });
  const thefts = {
    password: async (thief, owner) => {
      const { username, password: current_password } = owner;
      const new_password = newPasswordText();
      const body = { current_password, new_password };
      const { JWTtoken } = await thief.make('account/password', {
        ...(await session(thief, owner)),
        json: body,
      });
      thief.sessions.shift();
      thief.passwords.push([username, current_password], [username, new_password]);
      return { jwt: JWTtoken as string };
    },
    code: async (thief, { username }) => ({
      jwt: await thief.redeem(username, await command(`account code ${username}`)),
    }),
    session,
    'passkey by a session': async (thief, owner) => {
      const { jwt = '' } = await session(thief, owner);
      await thief.enrol(jwt);
      return { jwt };
    },
    passkey: async (thief, owner) => {
      const { jwt = '' } = await session(thief, owner);
      return thief.enrol(jwt);
    },
    token: async (thief, { token }) => {
      thief.tokens.push(token);
      return { token };
    },
  } as const satisfies Readonly<Record<string, Theft>>;

  /** The audit log of an instance has the entry of an answer a moment after it. */
  const settled = (thief: Thief) => async () => {
    const logged = async () => readFile(join(data, 'verified.jsonl'), 'utf8');
    await expect
      .poll(async () => {
        const log = await logged();
        return [...thief.requests].filter((id) => !log.includes(id));
      })
      .toEqual([]);
  };

  const stored = (username: string) => readAccount(target.runtime.table, username);
  return {
    ...{ data, base, where, target, thefts, command, create, createMachine, tokenOf },
    /** The name and the password of a new administrator. */
    async administrator() {
      const { username, password } = await create('root', ...ALL_ROLES);
      return [username, password] as const;
    },
    rolesOf: async (username: string) => (await stored(username))?.roles,
    isActive: async (username: string) => (await stored(username))?.isactive,
    logIn: async (username: string, password: string) =>
      (await call('POST', '/api/core/account/login', { base, json: { username, password } })).status,
    /** What those who end a theft know and do. */
    incident: (thief: Thief, time: string, ...accounts: readonly string[]) => ({
      ...{ accounts, time, settled: settled(thief) },
      run: (words: readonly string[], input: string) => run(words, input, where),
      newPassword: newPasswordText,
    }),
    /** The owner uses a one-time code; resolves to a session, and the new password. */
    async redeemed(username: string, code: string) {
      const new_password = newPasswordText();
      const json = { username, code, new_password };
      const { status, text, body } = await call('POST', '/api/core/account/password', { base, json });
      expect(status, text).toBe(200);
      expect(body.data.newest_passkey).toBeNull();
      return { jwt: noted(body.data.JWTtoken as string), password: new_password };
    },
    /** A thief of a password who has made all that it permits: a passkey, tokens, sessions, passwords and codes. */
    async robbed(...roles: readonly string[]) {
      const owner = await create('owner', 'sys_tokens', ...roles);
      const time = new Date().toISOString();
      const thief = thiefOn(base);
      const { jwt } = await thefts.password(thief, owner);
      await thief.makeOwn(await thief.enrol(jwt), owner.username);
      await expectToWork(thief);
      return { owner, time, thief };
    },
    close: async () => {
      target.runtime.table.client.destroy();
      await issuers.close();
    },
  };
}

/** Everything that was stolen and made works before the remedy, so its end is that of the remedy. */
export const expectToWork = async (thief: Thief) =>
  expect(new Set(await thief.statuses()), 'statuses before the remedy').toEqual(new Set([200]));
