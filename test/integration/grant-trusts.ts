import { expect } from 'vitest';
import { createAccount } from '#lib/account/create';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { assign } from '#lib/table/expressions';
import { accountKey, cursorSecretKey, issuerKey } from '#lib/table/keys';
import { remove, update } from '#lib/table/write';
import { withoutZone } from '#lib/time';
import { createToken } from '#lib/token/create';
import type { Target } from '../../infra/admin/target.ts';
import type { InstanceProcess } from './instance-process.ts';
import { ORDERS } from './resources.ts';
import { type Call, call, noted } from './service.ts';

const MACHINE = 'job';

/** Trusts of the machine, by the platform that issues the tokens: those of AWS have one use. */
const SUBJECTS = {
  kubernetes: 'system:serviceaccount:shop:deployer',
  aws: 'arn:aws:iam::111122223333:role/deployer',
} as const;

type Platform = keyof typeof SUBJECTS;

/**
 * Signs in a machine by the tokens of local issuers, of one use and of several: with keys that are fetched for it, with limits,
 * after a pause, for another service, and with a later generation of tokens. Its trusts are created while more sessions of the account that creates
 * them have ended than it lists; one is deleted by a narrow token, all others are ended by a reactivation.
 *
 * @returns a further sign-in, for this API or for another service; resolves to its token
 */
export async function useTrusts(
  { runtime, actor }: Target,
  { ready: { url: base, issuer } }: InstanceProcess,
  password: string,
) {
  const { table } = runtime;
  if (!issuer) throw new Error('The instance was started without --issuer');
  const succeed = async (method: string, path: string, request: Call) => {
    const reply = await call(method, `/api/core/${path}`, { base, ...request });
    expect(reply.status, `${path}: ${reply.text}`).toBe(200);
    return reply.body.data;
  };
  const set = (username: string, to: object) =>
    update(table, { Key: accountKey(username), ...assign(to, {}) });
  const username = 'trusting';
  const owner = await createAccount(runtime, { username, password, roles: ['sys_administrator'] });
  const json = { username, password };
  const session = { jwt: noted((await succeed('POST', 'account/login', { json })).JWTtoken as string) };
  await set(username, { ended_until: Math.ceil(Date.now() / 1000) + 3600 });
  const { value } = await createToken(runtime, owner, 'narrow', actor, { addresses: ['127.0.0.1'] });
  const narrow = { token: noted(value) };

  const post = (path: string, by: Call, json?: object) =>
    succeed('POST', `${path}/${MACHINE}`, { ...by, ...(json && { json }) });
  const trust = (platform: Platform, by: Call) =>
    post(`trust/create/${platform}`, by, { issuer: platform, subject: SUBJECTS[platform] });
  const grant = async (form: Readonly<Record<string, string>>) => {
    const reply = await call('POST', '/api/core/oauth/token', { base, form });
    expect(reply.status, reply.text).toBe(200);
    return noted((reply.body as unknown as { readonly access_token: string }).access_token);
  };
  const signIn = async (platform: Platform, more: Readonly<Record<string, string>> = {}) => {
    const target = `${issuer.url}/${platform}/token?audience=${issuer.audience}`;
    const assertion = noted(await (await fetch(target, { method: 'POST' })).text());
    return grant({
      ...{ grant_type: GRANT_TYPES.assertion, client_id: `${platform}@${MACHINE}`, assertion },
      ...more,
    });
  };

  const machine = { username: MACHINE, kind: 'machine', owner: username };
  await succeed('POST', 'account/create', { ...session, json: machine });
  await trust('kubernetes', session);
  await trust('aws', narrow);
  await remove(table, cursorSecretKey);
  const { next_cursor } = await succeed('GET', 'trust/browse?limit=1', narrow);
  await succeed('GET', `trust/browse?cursor=${next_cursor}`, narrow);

  // As if the job that fetches all keys had not run.
  await remove(table, issuerKey(`${issuer.url}/kubernetes`));
  await signIn('kubernetes');
  await signIn('aws');
  const [subject_token, resource] = [session.jwt, ORDERS];
  const subject_token_type = TOKEN_TYPES.access;
  await grant({ grant_type: GRANT_TYPES.exchange, subject_token, subject_token_type, resource });
  await set(MACHINE, { lastActivity: withoutZone(Date.now() - 61_000) });
  await signIn('kubernetes');
  await post('trust/delete/aws', narrow);
  // Without a session, a token of one use is spent by itself; one that is limited to addresses is not for other services.
  await trust('aws', session);
  await signIn('aws', { resource: ORDERS });
  await post('account/cancel', session);
  await post('account/reactivate', session, { revoke_tokens: true });
  await trust('kubernetes', session);
  await signIn('kubernetes');
  return (more?: Readonly<Record<string, string>>) => signIn('kubernetes', more);
}
