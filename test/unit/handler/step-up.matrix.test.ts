import { expect, test, vi } from 'vitest';
import type { Contract } from '#lib/contract/contract';
import { type SettingName, settingVariable } from '#lib/instance/settings';
import { contracts, type Route, routes, sourceOf } from '#lib/routes';
import { AMR } from '#lib/session/session-token';
import { createToken } from '#lib/token/create';
import { answerTo, CONFIRMING, type Confirming } from '../../../infra/step-up.ts';
import { partsOf, samplesOf } from '../../integration/requests.ts';
import { matrix } from '../../matrix.ts';
import { call, createSigningKey, openEndpoints } from '../support/endpoints.ts';
import { by } from '../support/engine.ts';
import { openTestBus } from '../support/event-bus.ts';
import { ONE_PASSKEY } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';
import { logInByToken } from '../support/signing-keys.ts';

logLines();
const { table, runtime, account, session } = await openEndpoints();
await openTestBus();
vi.stubEnv('EVENT_BUS_NAME', 'bus')
  .stubEnv('SIGNING_KEY_SECRET_ID', 'unread')
  .stubEnv('ERASURE_KEY_SECRET_ID', 'unread');
const key = await createSigningKey(table);
const own = { ...runtime, now: Date.now };

type Handler = Parameters<typeof call>[0];
type Given = Confirming['settings'][number];
const CLOSED = contracts.filter(({ access }) => access !== 'public');

/** It has a rule of its own: the first passkey needs a recent password, others a recent passkey. */
const APART = ['account.passkey-create'];

const asked = routes.filter(({ contract }) => CLOSED.includes(contract) && !APART.includes(contract.id));
/** Each rule of a step-up, and each access without one, by its first route. */
const ruleOf = ({ contract: { stepUp, access, ownBy } }: Route) =>
  JSON.stringify([stepUp, stepUp ? ownBy : access]);
const first = new Set([...Map.groupBy(asked, ruleOf).values()].map(([route]) => route));

const tested = matrix(asked, (route) => first.has(route));

/** The functions of an instance with these settings that the cases call. */
async function functionsUnder(settings: Given): Promise<ReadonlyMap<string, Handler>> {
  for (const [name, value] of Object.entries({ SecondFactor: 'off', AdministratorTokens: true, ...settings }))
    vi.stubEnv(settingVariable(name as SettingName), String(value));
  vi.resetModules();
  const loaded = [...new Set(tested.map(({ contract }) => contract))].map(
    async (contract): Promise<[string, Handler]> => [
      contract.id,
      (await import(/* @vite-ignore */ `../../../${sourceOf(contract)}`)).handler,
    ],
  );
  return new Map(await Promise.all(loaded));
}

const columns = Object.entries(CONFIRMING);
const instances = new Map<string, ReadonlyMap<string, Handler>>();
for (const settings of columns.flatMap(([, column]) => column.settings)) {
  const name = JSON.stringify(settings);
  if (!instances.has(name)) instances.set(name, await functionsUnder(settings));
}

const rolesOf = ({ access }: Contract, is: Confirming['is']) => {
  const own = typeof access === 'object' && access.role !== 'sys_administrator' ? [access.role] : [];
  return is === 'administrator' ? ['sys_administrator', ...own] : own;
};

async function headersOf(caller: Awaited<ReturnType<typeof account>>, { credential }: Confirming) {
  if (credential === 'token' || credential === 'token-session') {
    const { value = '' } = await createToken(own, caller, 'own', by('test'));
    if (credential === 'token') return { authorization: `Token ${value}` };
    return { authorization: `Bearer ${(await logInByToken(own, key, value as string)).JWTtoken}` };
  }
  const now = Date.now();
  const claims =
    credential === 'password'
      ? { amr: AMR.password }
      : { amr: AMR.passkey, pid: 'key-1', auth_time: Math.floor(now / 1000) - credential.seconds };
  return { authorization: `Bearer ${await session(caller, key, now, claims)}` };
}

/** The answer to a request of a caller, by the function of an instance: everything but a refusal of access is 200. */
async function ask(
  handler: Handler,
  { method, path, contract }: Route,
  column: Confirming,
  body?: object | undefined,
) {
  const { is, hasPasskey } = column;
  const passkeys = hasPasskey ? ONE_PASSKEY : {};
  const caller = await account({ roles: rolesOf(contract, is), ...passkeys });
  const { username } = is === 'person' ? caller : await account();
  const names = { username, source: caller.username, password: 'x' };
  const [usual] = samplesOf(contract.id);
  const isShort = contract.path.endsWith('{username?}') && !path.endsWith('{username}');
  const sample = { ...usual, ...(isShort ? { own: true as const } : {}) };
  const { params, query, form, ...parts } = partsOf(contract.id, names, sample);
  const json = body ?? parts.json;
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const { code } = await call(handler, {
    method,
    headers: { ...(await headersOf(caller, column)), 'content-type': type },
    pathParameters: params,
    queryStringParameters: query,
    ...(json === undefined || method === 'GET' ? {} : { body: JSON.stringify(json) }),
    ...(form === undefined ? {} : { body: `${new URLSearchParams(form)}` }),
  });
  return code === 'forbidden' || code === 'step_up_required' ? `403 \`${code}\`` : '200';
}

/** Without a step-up, these would be refused first. */
const STRICTEST: readonly Confirming[] = [CONFIRMING.password, CONFIRMING.refusedToken, CONFIRMING.begun];

/** The usual body, and one for each value of a list that a contract names. */
function bodiesOf({ stepUp }: Contract): readonly (object | undefined)[] {
  const given = typeof stepUp === 'object' ? (stepUp.with ?? []) : [];
  const valued = given.flatMap((one) => {
    if (typeof one === 'string') return [];
    const path = one.list.split('.');
    return [path.reduceRight<unknown>((at, name) => ({ [name]: at }), [one.value]) as object];
  });
  return [undefined, ...valued];
}

test.each(tested)(
  '$method $path demands a passkey of the callers that the table names, and of no others',
  async (route) => {
    const { id, stepUp } = route.contract;
    const present = columns.filter(([, column]) => stepUp || STRICTEST.includes(column));
    const cases = present.flatMap(([name, column]) =>
      column.settings.flatMap((settings) =>
        bodiesOf(route.contract).map((body) => ({
          name: [name, settings, ...(body ? [body] : [])].map((one) => JSON.stringify(one)).join(' '),
          column,
          settings,
          body,
        })),
      ),
    );
    const answers: Record<string, string> = {};
    for (const { name, column, settings, body } of cases) {
      const handler = instances.get(JSON.stringify(settings))?.get(id) as Handler;
      answers[name] = await ask(handler, route, column, body);
    }
    const expected = cases.map(({ name, column }) => [name, answerTo(route, column)]);
    expect(answers).toEqual(Object.fromEntries(expected));
  },
);
