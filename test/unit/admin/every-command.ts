import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { importJWK, type JWK, SignJWT } from 'jose';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { eraseAccount } from '#lib/erasure/erase';
import { EVENT_TYPES } from '#lib/instance/settings';
import { BLOCK_MS, blockAddress } from '#lib/login/blocks';
import { erasureKey } from '#lib/table/keys';
import { remove } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { createTrust } from '#lib/trust/create';
import { issuersIn } from '#lib/trust/issuers';
import { OPERATORS_FILE } from '../../../infra/local/machine/resource-names.ts';
import { newName } from '../../names.ts';
import { lineOf } from '../erasure/person.ts';
import type { AccountOverrides } from '../support/engine.ts';
import { storedSession } from '../support/items.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { newKeyPair } from '../support/signing-keys.ts';
import type { openInstance } from './operator.ts';

/** Arguments of commands that have any. The names in capitals are those of {@link Arrangement.prepare}. */
export const RUNS: Readonly<Record<string, readonly string[]>> = {
  'account show': ['ADA'],
  // No subscription copies its audit line here.
  doctor: ['--audit-seconds 0'],
  'account list': ['', '--cancelled-since 2000-01-01'],
  'account lock': ['ADA', 'EVE --until 24h', 'GONE'],
  'account unlock': ['EVE', 'LOU'],
  'account lockout': ['ADA off'],
  'account passkey list': ['ADA'],
  'account passkey remove': ['phone ADA'],
  'account reset-stamp': ['ADA'],
  'account reset-stamps': ['--yes'],
  'account cancel': ['ADA --yes', 'GONE'],
  'account erase': ['OLD --yes', 'GONE'],
  'account create': ['NEW --password-stdin --team ops', 'GONE --force', 'AUTO --kind machine --owner ADA'],
  'account password': ['ADA --password-stdin'],
  'account sessions': ['ADA'],
  'account export': ['ADA'],
  'account sessions --end': ['SID ADA', 'all ADA'],
  'account code': ['ADA --hours 2'],
  'account add': ['ADA --role r --team ops', 'BOT --owner ADA'],
  'account to-machine': ['EVE --owner ADA'],
  'account remove': ['ADA --role sys_administrator --team ops'],
  'account reactivate': ['OLD --revoke-tokens --end-passkeys'],
  'login block': ['192.0.2.8', '2001:db8::8 --until 1h'],
  'login unblock': ['ADDR'],
  'team create': ['dev --name Dev'],
  'team rename': ['ops --name Support'],
  'team delete': ['leaving --to ops', 'empty'],
  import: ['FILE'],
  'token list': ['ADA'],
  'token create': ['cd ADA'],
  'token delete': ['ci ADA'],
  'token rotate': ['ci ADA', 'ci ADA --overlap-minutes 60'],
  'trust create': ['cd BOT --issuer ci --subject job:main --role r'],
  'trust list': ['', 'BOT'],
  'trust delete': ['deploy BOT'],
  'trust delete --issuer': ['ci --yes'],
  'trust delete --created-by': ['MAKR --yes'],
  'trust delete --created-since': ['WHEN --yes'],
  'trust try': ['JWT'],
  'token revoke': ['--all ADA --yes', '--created-by EVE --yes'],
  'keys revoke': ['unknown'],
  'audit refill': ['--since 24h'],
  'restore erase-again': ['--yes --id BACK'],
};

/** The setting of the events that the runs publish. */
export const EVENTS = EVENT_TYPES.filter((type) => type !== 'token_expiring').join();

type Instance = Awaited<ReturnType<typeof openInstance>>;

const KEYS = await newKeyPair();

/** The setting of the issuer of trusts; its keys are not fetched. */
export const ISSUERS = JSON.stringify([
  { name: 'ci', issuer: 'https://ci.example.com', jwks: { keys: [KEYS.publicJwk] }, single_use: true },
]);

/** A passkey that an earlier version has enrolled. */
const HOLDER = { passkeys: { phone: 'id' } };

/** Creates what the runs name. */
export function arrange(it: Instance) {
  const by = { by: 'root', requestId: 'r' };

  /** Creates an account of an earlier version, which has created a token. */
  async function createAccount(name: string, overrides: AccountOverrides = {}) {
    const account = await it.account({ username: newName(name), ...overrides });
    await createToken(it.runtime, account, 'ci', { ...by, by: account.username });
    return setAttributes(it.table, account, { names_apart: undefined, password_set: undefined } as object);
  }
  /** Creates a machine with a trust. */
  async function createMachine() {
    const machine = await it.account({ username: newName('bot'), kind: 'machine', roles: ['r'] });
    const requested = { issuers: issuersIn(ISSUERS), issuer: 'ci', subject: 'job:main' };
    await createTrust(it.runtime, machine, 'deploy', by, requested);
    return machine;
  }

  const createAdministrator = (name: string) =>
    createAccount(name, { roles: ['sys_administrator'], ...HOLDER });

  const accounts: Readonly<Record<string, () => Promise<{ username: string }>>> = {
    ADA: () => createAdministrator('ada'),
    EVE: () => createAccount('eve', { lockoutend: '2099-01-01T00:00:00.000Z', ...HOLDER }),
    LOU: () => createAccount('lou').then((account) => lockAccount(it.runtime, account, by)),
    OLD: () =>
      createAccount('old', { ...HOLDER, trusts: { deploy: 'x' } }).then((account) =>
        cancelAccount(it.runtime, account, by),
      ),
    BOT: createMachine,
    // Of a trust that the run deletes.
    MAKR: () => createMachine().then(() => ({ username: by.by })),
    WHEN: () => createMachine().then(() => ({ username: '2000-01-01' })),
    GONE: async () => {
      const account = await createAccount('gone');
      const runtime = { ...it.runtime, publish: async <T>(events: T) => events };
      await cancelAccount(runtime, account, by);
      const { userid } = await eraseAccount(runtime, '', await it.stored(account), by);
      await remove(it.table, erasureKey(userid));
      return account;
    },
  };

  /** The ID of a cancelled administrator that a restore has brought back, by the audit log. */
  async function createBack() {
    const { id, username } = await it.account({
      ...{ username: newName('back'), roles: ['sys_administrator'], isactive: false },
    });
    const line = { action: 'admin account erase', target: username, details: { userid: id } };
    appendFileSync(join(it.data, OPERATORS_FILE), `${lineOf(line)}\n`);
    return id;
  }

  /** A file with a token of the issuer. */
  async function createGrant() {
    const now = Math.floor(Date.now() / 1000);
    const token = await new SignJWT({ sub: 'job:main', iat: now, exp: now + 300 })
      .setProtectedHeader({ alg: 'ES256', kid: KEYS.publicJwk.kid })
      .setIssuer('https://ci.example.com')
      .setAudience('http://127.0.0.1:1')
      .setJti('job-1')
      .sign(await importJWK(KEYS.privateJwk as JWK, 'ES256'));
    return it.fileOf('token.jwt', token);
  }

  /** A file with a new account, one that is locked until a time, and a machine. */
  function fileOfAccounts() {
    const line = {
      username: newName('imp'),
      password: 'correct horse',
      teams: ['ops'],
      user_properties: {},
      isactive: false,
    };
    const locked = { username: newName('end'), islocked: true, lockoutend: '2099-01-01T00:00:00Z' };
    const machine = { username: newName('job'), kind: 'machine', owner: locked.username };
    return it.fileOf('accounts.jsonl', [line, locked, machine]);
  }

  /** Creates what every run needs: a team, and an administrator who remains. */
  async function prepareFirst(): Promise<void> {
    for (const short of ['ops', 'leaving', 'empty']) await it.team(short);
    await createAdministrator('root');
  }

  return {
    prepareFirst,
    /** Creates what runs without an account find, an account of each kind too. */
    async prepareAll(): Promise<void> {
      await prepareFirst();
      for (const create of Object.values(accounts)) await create();
    },
    /**
     * Creates what arguments name, and returns the values of the names: ADA is an administrator and SID a session of hers,
     * EVE is locked out, BOT is a machine with a trust, JWT a file with a token that it accepts, LOU is locked, OLD is cancelled, GONE is erased, BACK is the ID of an account that a restore brought back, NEW and AUTO do not exist, ADDR is a blocked address, and FILE is a file of accounts.
     */
    async prepare(args: string): Promise<Record<string, string>> {
      const names: Record<string, string> = {
        NEW: newName('new'),
        AUTO: newName('auto'),
        FILE: fileOfAccounts(),
      };
      for (const [name, create] of Object.entries(accounts))
        if (args.includes(name)) names[name] = (await create()).username;
      if (args.includes('SID'))
        names['SID'] = await storedSession(it.table, await it.stored({ username: `${names['ADA']}` }));
      if (args.includes('JWT')) {
        await createMachine();
        names['JWT'] = await createGrant();
      }
      if (args.includes('BACK')) names['BACK'] = await createBack();
      if (args.includes('ADDR')) {
        names['ADDR'] = '192.0.2.7';
        await blockAddress(it.runtime, names['ADDR'], Date.now() + BLOCK_MS, by);
      }
      it.wire.reset();
      return names;
    },
  };
}

/** The arguments of a run, with the values of its names. */
export const argumentsOf = (text: string, names: Readonly<Record<string, string>>): string[] =>
  text
    .replace(/\b[A-Z]{3,4}\b/g, (name) => names[name] as string)
    .split(' ')
    .filter(Boolean);
