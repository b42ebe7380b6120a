import { join } from 'node:path';
import { readAccount } from '#lib/account/account';
import type { Contract } from '#lib/contract/contract';
import { ignore } from '#lib/failure';
import type { Account } from '#lib/item/account';
import { sealCursor } from '#lib/table/cursor';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { openTarget } from '../../../infra/admin/target.ts';
import { startEngine } from '../../../infra/local/engine/engine.ts';
import { bindingsOf, sdkEnvironment, settingsEnvironment } from '../../../infra/local/sdk-environment.ts';
import { logIn, type Subject, send } from '../../cost/subjects.ts';
import { startInstance } from '../../integration/instance-process.ts';
import { openProxy } from '../../wire/dynamodb-proxy.ts';
import { CREDENTIALS } from './directories.ts';
import { secretOf } from './population.ts';

/** An instance whose directory is filled, and its wire to the table. */
export interface Watched {
  readonly data: string;
  readonly proxy: Awaited<ReturnType<typeof openProxy>>;
  readonly instance: { readonly ready: { readonly url: string; readonly table: string } };
}

/** What requests are made of: who sends them to where. */
export interface Place {
  readonly url: string;
  readonly proxy: Watched['proxy'];
  /** A session of the administrator. */
  readonly jwt: string;
  /** A new session of the nth account, which has an API token. */
  readonly session: (n: number) => Promise<string>;
  /** A cursor of the listing from after this position. */
  readonly cursor: (listing: string, position: string) => Promise<string>;
  /** Has noted that who presents this credential is active: so no request after it does within half a minute. */
  readonly touch: (credential: Pick<Subject, 'jwt' | 'token'>) => Promise<void>;
  close(): Promise<void>;
}

const TOKEN = 'scale';
const TOUCHED_MS = 30_000;

/** Opens a watched instance for requests; closing takes back what that has made. */
export async function openPlace({ data, proxy, instance }: Watched): Promise<Place> {
  const { url } = instance.ready;
  const { runtime, actor } = await openTarget({ data });
  const administrator = (await readAccount(runtime.table, 'admin')) as Account;
  const remove = () => deleteToken(runtime, administrator, TOKEN, actor).catch(ignore('token_not_found'));
  // One that was cut off has left its token.
  await remove();
  const { value } = await createToken(runtime, administrator, TOKEN, actor);
  const touched = new Map<string, number>();
  return {
    url,
    proxy,
    jwt: await logIn(url, value as string),
    session: (n) => logIn(url, secretOf(n)),
    cursor: (listing, position) => sealCursor(runtime.table, listing, position),
    async touch({ jwt, token }) {
      const credential = jwt ?? token ?? '';
      if (Date.now() - (touched.get(credential) ?? 0) < TOUCHED_MS) return;
      await send(url, { method: 'GET', path: '/api/core/system/ping', jwt, token });
      await proxy.settled();
      touched.set(credential, Date.now());
    },
    async close() {
      await remove();
      runtime.table.client.destroy();
    },
  };
}

export type StartedPlace = Awaited<ReturnType<typeof startPlace>>;

/** How long the wire keeps each answer, so that commands sent side by side are seen to overlap. */
const DELAY_MS = 10;

/** An instance on a data directory that is filled; its functions can be run beside it, without a wire in between. */
export async function startPlace(data: string) {
  const stack = new AsyncDisposableStack();
  const engine = stack.adopt(await startEngine(join(data, 'dynamodb.sqlite')), (it) => it.close());
  const proxy = stack.adopt(await openProxy(engine.url, DELAY_MS), (it) => it.close());
  const instance = stack.adopt(
    await startInstance({ data, env: { AWS_ENDPOINT_URL_DYNAMODB: proxy.url } }),
    async (it) => void (await it.stop()),
  );
  const place = stack.adopt(await openPlace({ data, proxy, instance }), (it) => it.close());
  const { ready } = instance;
  const endpoints = {
    dynamodb: engine.url,
    events: ready.events,
    secretsmanager: ready.secretsmanager,
  };
  return {
    ...place,
    /** The variables of a function that reaches the engine with nothing in between. */
    env: (contract: Contract) => ({
      ...sdkEnvironment({}, endpoints, CREDENTIALS),
      ...settingsEnvironment({}, ready.url),
      ...bindingsOf(contract, ready.table),
    }),
    close: () => stack.disposeAsync(),
  };
}
