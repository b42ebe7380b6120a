import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { vi } from 'vitest';
import * as z from 'zod/mini';
import type { NewAccount } from '#lib/account/create';
import type { Contract } from '#lib/contract/contract';
import type { GatewayEvent, GatewayResult } from '#lib/contract/gateway-event';
import type { Runtime } from '#lib/runtime';
import { type Session, type SigningKey, signSession } from '#lib/session/session-token';
import { createToken } from '#lib/token/create';
import { by, openTestTable } from './engine.ts';
import { gatewayEvent } from './gateway-event.ts';

export { publishKey as createSigningKey } from './signing-keys.ts';

/** The Lambda context of an invocation, by default with enough time. */
export const invocation = (remainingMs = 300_000) =>
  ({ awsRequestId: 'lambda-1', getRemainingTimeInMillis: () => remainingMs }) as unknown as Context;

/** The contract of an endpoint without access control, input, title and needs. */
export const OPEN = {
  id: 'test.open',
  summary: '',
  method: 'GET',
  path: '/test/open',
  access: 'public',
  needs: [],
  response: () => z.unknown(),
} as const satisfies Contract;

/** A function as Lambda invokes it. */
type Handler = (event: GatewayEvent, context: Context) => Promise<GatewayResult>;

/** Calls an endpoint: `payload` is the body, parsed if it is JSON; `code` is the code of a failure. */
export async function call(
  handler: Handler,
  event: Parameters<typeof gatewayEvent>[0] = {},
  remainingMs?: number,
) {
  const result = await handler(gatewayEvent(event), invocation(remainingMs));
  const { statusCode: status, headers, body, cookies } = result;
  const isText = body !== '' && !result.isBase64Encoded;
  const isJson = headers['content-type']?.startsWith('application/json') && isText;
  const payload: unknown = isJson ? JSON.parse(body) : body;
  const { data } = { ...(payload as { data?: { code?: string } } | undefined) };
  return { status, headers, cookies, payload, code: data?.code };
}

/**
 * A test table for `endpoint()`, named in the environment. Call it once at the top of a test file.
 */
export async function openEndpoints(settings: Readonly<Record<string, string>> = {}) {
  const bench = await openTestTable(settings);
  vi.stubEnv('TABLE_NAME', bench.table.name).stubEnv('INSTANCE', 'test');
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', bench.wire.url);
  return {
    ...bench,
    /** Creates an account, with the header that presents an API token of it. */
    caller: async (input: Partial<NewAccount> = {}) => {
      const account = await bench.account(input);
      const { value } = await createToken(bench.runtime, account, 'test', by(account.username));
      const token = value as string;
      return { account, token, headers: { authorization: `Token ${token}` } };
    },
    /** The session token of an account that is signed by a key, from the time of a clock on; other claims may follow. */
    session: (
      { id, username, stamp }: { id: string; username: string; stamp: string },
      key: SigningKey,
      at: number,
      claims: Partial<Session> = {},
    ) =>
      signSession(
        { ...bench.runtime, uuid: randomUUID } satisfies Runtime,
        key,
        { sub: id, name: username, sst: stamp, ...claims },
        Math.floor(at / 1000),
        3600,
      ),
  };
}
