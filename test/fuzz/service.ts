import { once } from 'node:events';
import { Agent, request as open } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { readAccount } from '#lib/account/account';
import { createAccount } from '#lib/account/create';
import { unlockAccount } from '#lib/account/lifecycle/lock';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { changeMemberships } from '#lib/account/memberships';
import { createTeam } from '#lib/team/team';
import { createToken } from '#lib/token/create';
import { openTarget } from '../../infra/admin/target.ts';
import { bundle } from '../../infra/bundle.ts';
import { startWatchedInstance } from '../integration/watched-instance.ts';
import { removeFolders } from '../unit/support/folder.ts';
import { ACCOUNTS, PASSWORD } from './pieces.ts';
import type { FuzzRequest } from './requests.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly ms: number;
}

/** A write, as `Update ACCOUNT#ada ACCOUNT SET lastActivity = :now`. */
export type Write = string;

/** Longest time of a request: the gateway of the cloud waits no longer. */
const GIVE_UP_MS = 30_000;

/** A local instance of its own with the accounts of the requests, and the writes of its functions. */
export async function openService(connections: number) {
  if (!process.env['FUNCTIONS_BUILT']) await bundle();
  const watched = await startWatchedInstance({ args: ['--no-demo', '--memory'] });
  const { proxy, instance, data } = watched;
  const { runtime, actor } = await openTarget({ data });
  const { hostname, port, host } = new URL(instance.ready.url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const secrets = new Map<string, string>();
  const worn = new Set<string>();
  let given = 0;

  const filledIn = (text: string) =>
    text.replace(/\{\{([^}]+)\}\}/g, (whole, name: string) => secrets.get(name) ?? whole);

  async function send({ method, target, headers, body }: FuzzRequest): Promise<Answer> {
    const content = Buffer.from(filledIn(body?.text ?? ''), body?.encoding ?? 'utf8');
    const own = ['host', host, ...(content.length > 0 ? ['content-length', String(content.length)] : [])];
    const sent = [...own, ...headers.flat().map(filledIn)];
    const start = performance.now();
    const signal = AbortSignal.timeout(GIVE_UP_MS);
    const options = { method, hostname, port, path: filledIn(target), headers: sent, agent, signal };
    const outgoing = open(options).end(content);
    const [incoming] = await once(outgoing, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const ms = performance.now() - start;
    const raw = Buffer.concat(chunks);
    const isCompressed = incoming.headers['content-encoding'] === 'gzip' && raw.length > 0;
    const text = (isCompressed ? gunzipSync(raw) : raw).toString();
    return { status: incoming.statusCode, headers: incoming.headers, text, ms };
  }

  /** Restores the first state of an account, and logs it in. */
  async function revive(name: string) {
    const account = await readAccount(runtime.table, name);
    if (!account) throw new Error(`${name} is gone`);
    const roles = ACCOUNTS[name] ?? [];
    await unlockAccount(runtime, account, actor);
    await reactivateAccount(runtime, account, actor);
    const acquired = account.roles.filter((role) => !roles.includes(role));
    const change = { add: { roles: [...roles] }, remove: { roles: acquired } };
    if (acquired.length + roles.length > 0)
      await changeMemberships(runtime, { ...account, isactive: true }, change);
    if (!(await logIn(name))) {
      await giveToken(name);
      await logIn(name);
    }
  }

  /** Opens a session with the token of an account. @returns whether the token is still good */
  async function logIn(name: string): Promise<boolean> {
    const { status, text } = await send({
      method: 'POST',
      target: '/api/core/account/login',
      headers: [['content-type', 'application/json']],
      body: { text: JSON.stringify({ username: 'api', password: `{{token.${name}}}` }) },
    });
    if (status === 200) secrets.set(`session.${name}`, JSON.parse(text).data.JWTtoken);
    return status === 200;
  }

  async function giveToken(name: string) {
    const account = await readAccount(runtime.table, name);
    if (!account) throw new Error(`${name} is gone`);
    const { value } = await createToken(runtime, account, `kept ${++given}`, actor);
    secrets.set(`token.${name}`, value as string).set(`basic.${name}`, btoa(`api:${value}`));
  }

  const { team_id } = await createTeam(runtime, { short: 'core', name: 'Core', type: 'internal' });
  secrets.set('team', team_id);
  for (const [username, roles] of Object.entries(ACCOUNTS)) {
    await createAccount(runtime, { username, roles, teams: ['core'], password: PASSWORD });
    await revive(username);
  }
  const page = await send({
    method: 'GET',
    target: '/api/core/account/browse?limit=1',
    headers: [['authorization', 'Token {{token.boss}}']],
  });
  secrets.set('cursor', JSON.parse(page.text).data.next_cursor);
  proxy.reset();

  const writes = new Map<string, Write[]>();
  /** Collects the commands that have ended since the last time. */
  function collect() {
    for (const command of proxy.commands.splice(0)) {
      if (command.end === 0) proxy.commands.push(command);
      else if (command.applied && command.requestId !== undefined)
        for (const write of writesIn(command.operation, command.input))
          writes.set(command.requestId, [...(writes.get(command.requestId) ?? []), write]);
    }
  }

  return {
    send,
    /** Records that a valid credential of an account was refused. */
    wears: (name: string) => worn.add(name),
    /** Restores the accounts with such a record. */
    async refresh() {
      for (const name of worn) if (worn.delete(name)) await revive(name);
    },
    /** Writes of a request so far that a refused request may not make. */
    writesOf(requestId: string): readonly Write[] {
      collect();
      return writes.get(requestId.replaceAll('-', '')) ?? [];
    },
    /** Resolves once nothing is being written. */
    settled: () => proxy.settled(),
    linesOf: (requestId: string) =>
      instance
        .output()
        .split('\n')
        .filter((line) => line.includes(requestId)),
    async stop() {
      agent.destroy();
      await watched.stop();
      removeFolders();
    },
  };
}

/** Attempts to log in, exported pages, activity, and how many were active on a day. */
const HARMLESS =
  /^(Put ATTEMPTS#|Update EXPORTS#|Update SLICE#\d+ SLICE ADD #0 :0(, #1 :1)? REMOVE #|Update ACCOUNT#\S+ ACCOUNT SET #lastActivity = :to_lastActivity(, #never_used = :to_never_used)?$|Update TOKEN#\S+ TOKEN SET token_used_at = :now$)/;

type Item = Record<string, unknown> & { Key?: Key; Item?: Key; UpdateExpression?: string };
type Key = { PK?: { S?: string }; SK?: { S?: string } };

/** Writes of a command, except those that a refused request may cause. */
function writesIn(operation: string, input: object): Write[] {
  const { TransactItems } = input as { TransactItems?: Record<string, Item>[] };
  const items = TransactItems?.flatMap((write) => Object.entries(write)) ?? [
    [operation, input as Item] as const,
  ];
  return items
    .filter(([kind]) => !/^(Get|BatchGet|Query|ConditionCheck)/.test(kind))
    .map(([kind, { Key, Item, UpdateExpression }]) => {
      const { PK, SK } = Key ?? Item ?? {};
      return [kind.replace('Item', ''), PK?.S, SK?.S, UpdateExpression].filter(Boolean).join(' ');
    })
    .filter((write) => !HARMLESS.test(write));
}
