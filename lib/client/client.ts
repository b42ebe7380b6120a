import type { OperationId } from './contracts.ts';
import { CoreAccountError } from './error.ts';
import { listing } from './listing.ts';
import { methodName } from './method-name.ts';
import type { Client } from './methods.ts';
import { OPERATIONS } from './operations.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import { type IssuedToken, presenter } from './presenter.ts';
import { invalidInput } from './refusal.ts';
import { type WireRequest, wireRequest } from './request.ts';
import { type Received, send } from './send.ts';
import { serviceTokens } from './service-tokens.ts';
import { until } from './wait.ts';

type Options = RequestOptions & { readonly idempotencyKey?: string; readonly ifMatch?: string };

/**
 * Creates a client of one instance for one credential. Its methods throw {@link CoreAccountError}.
 *
 * @throws TypeError when the URL is not an http or https URL, or has credentials, a query or a fragment; the message
 *   does not contain the URL
 */
export function createClient({ url, credential, fetch: fetchBy, ...rest }: ClientOptions): Client {
  const base = baseOf(url);
  const fetching: typeof fetch = fetchBy ?? ((...request) => fetch(...request));
  const caller = presenter(credential, {
    logIn: async (username, password) => {
      const { JWTtoken } = (await perform('account.login', { username, password })) as { JWTtoken: string };
      return JWTtoken;
    },
    // A token that was received without an answer may be spent: each attempt sends a new one.
    exchange: ({ trust, token }) =>
      granted(async () => ({ grant_type: JWT_BEARER, client_id: trust, assertion: await token() })),
  });
  const tokens = serviceTokens(caller, (authorization, resource) =>
    granted(() => ({
      grant_type: TOKEN_EXCHANGE,
      subject_token: authorization.replace(/^\w+ /, ''),
      subject_token_type: ACCESS_TOKEN,
      resource,
    })),
  );

  /** @param request builds the request of each attempt */
  const sent = (
    operation: OperationId,
    request: () => WireRequest | Promise<WireRequest>,
    options: { repeatable: boolean; signal?: AbortSignal | undefined; authorization?: string | undefined },
  ) => {
    const { repeatable, signal, authorization } = options;
    return send({
      ...rest,
      operation,
      repeatable,
      signal,
      attempt: async () => {
        const { path, init } = await request();
        return (ending) =>
          fetching(base + path, {
            ...init,
            headers: authorization === undefined ? init.headers : { ...init.headers, authorization },
            // The service never redirects, and no other host may receive the request.
            redirect: 'error',
            signal: ending,
          });
      },
    });
  };

  const granted = async (form: () => object | Promise<object>) => {
    const request = async () => wireRequest(TOKEN, await form(), {});
    return (await sent(TOKEN, request, { repeatable: true })).body as IssuedToken;
  };

  const perform = async (id: OperationId, input: unknown, options: Options = {}): Promise<unknown> => {
    const { signal, onHeaders, onMessage } = options;
    signal?.throwIfAborted();
    const [, , repeats, access] = OPERATIONS[id];
    const request = wireRequest(id, input, headersOf(options, repeats === 'with-key'));
    const presenting = (authorization: string | undefined) =>
      sent(id, () => request, { repeatable: repeats !== 'never', signal, authorization });
    const isOpen = access === 'public' || (access === 'authenticated-or-code' && hasCode(input));
    const presented = isOpen ? undefined : await until(caller.authorization(), signal);
    const renewable = caller.renewable && !isOpen;
    const { headers, body } = await presenting(presented).catch(async (error): Promise<Received> => {
      if (!renewable || !(error instanceof CoreAccountError && error.status === 401)) throw error;
      // A password in the request is wrong, not the session: another attempt would count as a second failure.
      if (error.code === 'invalid_credentials') throw error;
      return presenting(await until(caller.authorization(presented), signal));
    });
    onHeaders?.(headers);
    onMessage?.((body as { message?: string } | null)?.message ?? '');
    return (body as { success?: boolean } | null)?.success === true ? (body as { data: unknown }).data : body;
  };

  const tokenFor: Client['tokenFor'] = async (audience, { signal } = {}) => {
    signal?.throwIfAborted();
    // Without a resource, the answer would be a session.
    if (!audience) throw invalidInput(TOKEN, 'audience', 'Is required');
    return until(tokens(audience), signal);
  };

  const client: Record<string, Record<string, unknown>> = {};
  for (const id of Object.keys(OPERATIONS) as OperationId[]) {
    const [noun = ''] = id.split('.');
    client[noun] ??= {};
    client[noun][methodName(id)] =
      OPERATIONS[id][2] === 'by-page'
        ? (input?: object, options?: Options) =>
            listing((cursor) => perform(id, cursor ? { ...input, cursor } : input, options) as Promise<never>)
        : (input?: unknown, options?: Options) => perform(id, input, options);
  }
  return { ...client, tokenFor } as unknown as Client;
}

const TOKEN = 'oauth.token';
const OAUTH = 'urn:ietf:params:oauth:';
/** Grant of RFC 7523. */
const JWT_BEARER = `${OAUTH}grant-type:jwt-bearer`;
/** Grant of RFC 8693, and the type of sessions and API tokens in it. */
const TOKEN_EXCHANGE = `${OAUTH}grant-type:token-exchange`;
const ACCESS_TOKEN = `${OAUTH}token-type:access_token`;

const hasCode = (input: unknown) => (input as { code?: unknown } | undefined)?.code !== undefined;

function headersOf({ idempotencyKey, ifMatch, batch }: Options, needsKey: boolean): Record<string, string> {
  const key = idempotencyKey ?? (needsKey ? randomKey() : undefined);
  return {
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(batch && { 'x-batch': batch.id, 'x-batch-size': `${batch.size}` }),
  };
}

/** Draws 128 bits; unlike `randomUUID`, this also works on pages without https. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

function baseOf(url: string): string {
  const { protocol, username, password, search, hash, origin, pathname } = URL.canParse(url)
    ? new URL(url)
    : ({} as Partial<URL>);
  if (!/^https?:$/.test(protocol ?? '') || username || password || search || hash)
    throw new TypeError('url must be an http or https URL without credentials, query and fragment');
  return `${origin}${pathname}`.replace(/\/+$/, '');
}
