import { expect } from 'vitest';
import { GRANT_TYPES } from '#lib/oauth/grant-types';
import { type Authenticator, newAuthenticator } from '../authenticator.ts';
import { type Call, call, newPasswordText, noted, uniqueName } from './service.ts';

/** The roles of an account that may make everything. */
export const ALL_ROLES = ['sys_administrator', 'sys_tokens'];

/** Accounts of others, and what the thief of an administrator's credential does to each. */
export const VICTIMS = [
  'taken', // its password set by a code
  'coded', // a code, unused
  'later', // a code by an account that the thief has created
  'holder', // tokens, new and rotated
  'accomplice', // more roles, teams and applications
  'locked',
] as const;
export type Victims = Readonly<Record<(typeof VICTIMS)[number], string>>;

export type Thief = ReturnType<typeof thiefOn>;

/** A thief who keeps each credential that it makes on an instance. */
export function thiefOn(base: string) {
  const sessions: string[] = [];
  const tokens: string[] = [];
  const passwords: (readonly [username: string, password: string])[] = [];
  /** The latest code of each account, which replaces earlier ones. */
  const codes = new Map<string, string>();
  const requests = new Set<string>();
  const devices: Authenticator[] = [];
  /** Tokens of platforms, each new for one use, and the trusts as `<trust>@<machine>` that they are presented to. */
  const grants: (readonly [trust: string, token: () => Promise<string>])[] = [];
  /** The local instance is used as localhost. */
  const origin = base.replace('127.0.0.1', 'localhost');
  const send = (path: string, request: Call = {}) => call('POST', `/api/core/${path}`, { base, ...request });

  /** An answer: that of `oauth/token` has no envelope. */
  type Answer = Awaited<ReturnType<typeof send>>['body'] & { readonly access_token?: string };

  /** The data of an answer, which must be a success, with the credentials in it. */
  async function make(path: string, request: Call = {}) {
    const { status, text, body } = await send(path, request);
    expect(status, `${path}: ${text}`).toBe(200);
    keep(body);
    return body.data;
  }

  function keep({ requestID, data = {}, access_token }: Answer) {
    requests.add(requestID);
    if (access_token) sessions.push(noted(access_token));
    if (data.JWTtoken) sessions.push(noted(data.JWTtoken));
    if (data.value) tokens.push(noted(data.value));
    if (data.code) codes.set(data.username, noted(data.code));
  }

  const logIn = async (username: string, password: string) =>
    (await make('account/login', { json: { username, password } })).JWTtoken as string;

  /** Creates a passkey by a new session of an account; resolves to a session of the passkey. */
  async function enrol(jwt: string): Promise<Call> {
    const device = newAuthenticator();
    // Not audited, since it changes nothing.
    const ask = async (purpose: string, own: Call = {}) =>
      (await send('account/passkey/options', { ...own, json: { purpose } })).body.data.options;
    const credential = device.create(await ask('create', { jwt }), { origin });
    await make(`account/passkey/create/${uniqueName('key')}`, { jwt, json: { credential } });
    devices.push(device);
    const assertion = device.get(await ask('assert'), { origin });
    const { JWTtoken } = await make('account/passkey/assert', { json: { credential: assertion } });
    return { jwt: JWTtoken as string };
  }

  /** Uses a one-time code; resolves to a session. */
  async function redeem(username: string, code: string): Promise<string> {
    const new_password = newPasswordText();
    const { JWTtoken } = await make('account/password', { json: { username, code, new_password } });
    passwords.push([username, new_password]);
    return JWTtoken;
  }

  const exchange = (client_id: string, assertion: string) =>
    ['oauth/token', { form: { grant_type: GRANT_TYPES.assertion, client_id, assertion } }] as const;

  /** Opens a session of a machine by a token of a platform, and keeps both. */
  async function signIn(...[trust, token]: (typeof grants)[number]): Promise<void> {
    await make(...exchange(trust, await token()));
    grants.push([trust, token]);
  }

  /** Rotates a token of an account, whose former secret works for an hour, and logs in with the new one. */
  async function rotate(as: Call, name: string, username: string) {
    const json = { overlap_minutes: 60 };
    const { value } = await make(`token/rotate/${name}/${username}`, { ...as, json });
    await logIn('api', value);
    return value as string;
  }

  /**
   * Makes what an account with `sys_tokens` may make for itself. Its token `laptop` is there.
   *
   * @returns the credential, or its successor if that was this token
   */
  async function makeOwn(as: Call, username: string) {
    const headers = { 'idempotency-key': uniqueName('key') };
    const { value } = await make('token/own/made', { ...as, headers });
    await logIn('api', value);
    await make('token/create/logintoken', as);
    await rotate(as, 'made', username);
    const token = await rotate(as, 'laptop', username);
    return as.token ? { token } : as;
  }

  /** Makes what an administrator may make for others. */
  async function makeForOthers(as: Call, username: string, victims: Victims) {
    const { taken, coded, later, holder, accomplice, locked } = victims;
    const code = async (name: string, by = as) =>
      (await make(`account/code/${name}`, { ...by, json: { hours: 72 } })).code as string;
    await redeem(taken, await code(taken));
    await code(coded);
    await make(`account/lock/${locked}`, as);

    const { value } = await make(`token/create/gift/${holder}`, as);
    await make('token/own/child', { token: value });
    await rotate(as, 'laptop', holder);

    const short = uniqueName('team').slice(-12);
    await make(`team/create/${short}`, { ...as, json: { name: 'Thieves', type: 'internal' } });
    const add = { roles: ALL_ROLES, teams: [short], apps: ['loot'] };
    await make(`account/access/${accomplice}`, { ...as, json: { add } });

    const invited = async (by: Call) => {
      const json = { username: uniqueName('made'), roles: ALL_ROLES, invite_hours: 72 };
      const created = await make('account/create', { ...by, json });
      return [created.username as string, created.code as string] as const;
    };
    const [made, invitation] = await invited(as);
    const session = { jwt: await redeem(made, invitation) };
    await make('token/own/laptop', session);
    await makeOwn(session, made);
    await invited(session);
    await code(later, session);
    await code(username, session);
    return { made, session };
  }

  /** Sends requests in twelve loops until it is told to stop, and keeps what they make. */
  function goOn(next: (n: number) => readonly [path: string, request: Call]) {
    let goesOn = true;
    const loop = async (first: number) => {
      for (let n = first; goesOn; n += 12) {
        const { status, body } = await send(...next(n));
        if (status === 200) keep(body);
      }
    };
    const loops = Promise.all(Array.from({ length: 12 }, (_, n) => loop(n)));
    return async () => {
      goesOn = false;
      await loops;
    };
  }

  const statusOf = async (request: Call) =>
    (await call('GET', '/api/core/system/ping', { base, ...request })).status;
  const statusesOf = async (requests: readonly Call[]) => {
    const statuses: number[] = [];
    for (const each of requests) statuses.push(await statusOf(each));
    return statuses;
  };
  const held = (): Call[] => [...sessions.map((jwt) => ({ jwt })), ...tokens.map((token) => ({ token }))];

  return {
    ...{ sessions, tokens, passwords, codes, requests, devices, grants },
    ...{ make, logIn, exchange, signIn, redeem, enrol, rotate, makeOwn, makeForOthers, goOn },
    /** The answers to all its sessions and tokens. */
    statuses: () => statusesOf(held()),
    /** Everything that still works, or that a limit keeps from being tried. */
    async survivors(): Promise<string[]> {
      const left: string[] = [];
      const check = (what: string, status: number) => status === 401 || left.push(`${what}: ${status}`);
      for (const [n, jwt] of sessions.entries()) check(`session ${n}`, await statusOf({ jwt }));
      for (const [n, token] of tokens.entries()) check(`token ${n}`, await statusOf({ token }));
      for (const [username, password] of passwords)
        check(
          `password of ${username}`,
          (await send('account/login', { json: { username, password } })).status,
        );
      for (const [username, code] of codes) {
        const json = { username, code, new_password: newPasswordText() };
        check(`code of ${username}`, (await send('account/password', { json })).status);
      }
      const asserted = async (device: Authenticator) => {
        const { options } = (await send('account/passkey/options', { json: { purpose: 'assert' } })).body
          .data;
        const json = { credential: device.get(options, { origin }) };
        return (await send('account/passkey/assert', { json })).status;
      };
      for (const [n, device] of devices.entries()) check(`passkey ${n}`, await asserted(device));
      for (const [trust, token] of grants) {
        const { status } = await send(...exchange(trust, await token()));
        if (status !== 400) left.push(`token of a platform for ${trust}: ${status}`);
      }
      return left;
    },
  };
}
