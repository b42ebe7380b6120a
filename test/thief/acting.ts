import { readAccount } from '#lib/account/account';
import type { Contract } from '#lib/contract/contract';
import type { Account } from '#lib/item/account';
import type { CredentialLimits } from '#lib/item/token';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { contracts } from '#lib/routes';
import { isoOf } from '#lib/time';
import { createToken } from '#lib/token/create';
import { THEFT_AT } from './clock.ts';
import { type Name, passwordOf } from './people.ts';
import { ISSUER, platformToken, subjectOf, TRUST } from './platform.ts';
import { answerOf, deviceFor, heldBy, presenting, type Secret, secretsIn } from './secrets.ts';
import type { Reply, Sent, Service, Setting } from './service.ts';

export const contractOf = (id: string): Contract => {
  const found = contracts.find((contract) => contract.id === id);
  if (!found) throw new Error(`There is no contract ${id}`);
  return found;
};

export type People = ReturnType<typeof actingOn>;

/** What people do with what is theirs, by the requests of a client. Each rejects if the service refuses it. */
export function actingOn(service: Service, setting: Setting) {
  /** Sends a request; resolves to its answer, whatever it is. */
  const send = (id: string, sent: Omit<Sent, 'method'>, by?: Secret): Promise<Reply> => {
    const contract = contractOf(id);
    const [method = 'GET'] = [contract.method].flat();
    return service.send(contract, setting, { method, ...sent }, by && presenting(by));
  };
  const secretOf = async (id: string, sent: Omit<Sent, 'method'>, by?: Secret): Promise<Secret> => {
    const reply = await send(id, sent, by);
    const [secret] = await secretsIn(service.runtime, reply.payload);
    if (!secret) throw new Error(`${id}: ${JSON.stringify(reply.payload)}`);
    return secret;
  };
  const optionsFor = async (purpose: 'create' | 'assert', by?: Secret) => {
    const { payload } = await send('account.passkey-options', { json: { purpose } }, by);
    const options = (payload as { data: { options?: object } }).data.options;
    if (!options) throw new Error(`options: ${JSON.stringify(payload)}`);
    return options;
  };

  const logIn = (name: Name, password = passwordOf(name)) =>
    secretOf('account.login', { json: { username: name, password } });

  /** Logs in with the passkey that somebody has for an account. */
  const assertAs = async (holder: Name, name: Name) => {
    const held = heldBy(holder, name);
    if (!held) throw new Error(`${holder} has no device for ${name}`);
    const credential = await answerOf(service.table, held, await optionsFor('assert'), setting, false);
    return secretOf('account.passkey-assert', { json: { credential } });
  };

  const assert = (name: Name) => assertAs(name, name);

  /** Creates a passkey of an account on somebody's device. */
  async function enrolFor(holder: Name, name: Name, session: Secret, passkey_name = 'x') {
    const options = await optionsFor('create', session);
    const credential = await answerOf(service.table, deviceFor(holder, name), options, setting, true);
    const reply = await send(
      'account.passkey-create',
      { params: { passkey_name }, json: { credential } },
      session,
    );
    if (reply.status !== 200) throw new Error(`enrol: ${JSON.stringify(reply.payload)}`);
  }

  return {
    send,
    theftAt: isoOf(THEFT_AT),
    /** The passkeys of the sender. */
    passkeys: async (by: Secret) =>
      (
        (await send('account.passkeys', {}, by)).payload as {
          data: { items: { name: string; created_at: string }[] };
        }
      ).data.items,
    logIn,
    /** Creates a passkey on the person's own device. */
    enrol: async (name: Name, by?: Secret) => enrolFor(name, name, by ?? (await logIn(name)), 'phone'),
    enrolFor,
    assertAs,
    assert,
    /** A trust of a machine in the jobs of its own, which the administrator creates. */
    trust: async (username: Name) =>
      send(
        'trust.create',
        { params: { trust_name: TRUST, username }, json: { issuer: ISSUER, subject: subjectOf(username) } },
        await assert('administrator'),
      ),
    /** The administrator deletes all trusts of a machine. @returns whether each deletion was permitted */
    async endTrusts(username: Name): Promise<boolean> {
      const by = await assert('administrator');
      const { payload } = await send('trust.browse', { query: { username } }, by);
      const { items } = (payload as { readonly data: { readonly items: { readonly trust_name: string }[] } })
        .data;
      for (const { trust_name } of items) {
        const { status } = await send('trust.delete', { params: { trust_name, username } }, by);
        if (status !== 200) return false;
      }
      return true;
    },
    /** A session of a machine, by a token that its platform gives the job. */
    exchange: async (username: Name) =>
      secretOf('oauth.token', {
        form: {
          grant_type: GRANT_TYPES.assertion,
          client_id: `${TRUST}@${username}`,
          assertion: await platformToken(username, THEFT_AT),
        },
      }),
    /** A token for another service, by a session or an API token. */
    tokenFor: (resource: string, { value: subject_token }: Secret) =>
      secretOf('oauth.token', {
        form: {
          ...{ grant_type: GRANT_TYPES.exchange, subject_token_type: TOKEN_TYPES.access },
          ...{ subject_token, resource },
        },
      }),
    /** A new token of a person, made by an operator. */
    async token(username: Name, name: string, limits: CredentialLimits = {}): Promise<Secret> {
      const account = (await readAccount(service.table, username)) as Account;
      const by = { by: 'operator', requestId: 'operator' };
      const { value } = await createToken(service.runtime, account, name, by, limits);
      const [secret] = await secretsIn(service.runtime, value);
      if (!secret) throw new Error(`${username} has no token ${name}`);
      return secret;
    },
    /** A one-time code that the administrator makes. */
    code: async (name: Name) => {
      const by = await actingOn(service, setting).assert('administrator');
      return secretOf('account.code', { params: { username: name } }, by);
    },
  };
}
