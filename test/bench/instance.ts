import { rm } from 'node:fs/promises';
import type { Contract, Job } from '#lib/contract/contract';
import { openTarget } from '../../infra/admin/target.ts';
import { bindingsOf, sdkEnvironment, settingsEnvironment } from '../../infra/local/sdk-environment.ts';
import { startWatchedInstance } from '../integration/watched-instance.ts';
import { type Command, roundTrips } from '../wire/dynamodb-proxy.ts';
import { type Instance, logIn, type Subject, send } from './subjects.ts';

/** What a request costs the table: capacity units, those of indexes included, and commands that follow one another. */
export interface Cost {
  readonly reads: number;
  readonly writes: number;
  readonly trips: number;
}

const isRead = ({ operation }: Command) => /^(Get|BatchGet|Query)/.test(operation);
const unitsOf = (commands: readonly Command[]) => commands.reduce((total, { units }) => total + units, 0);

/** The look at the keys is left out: it goes in parallel with another read, once in five seconds. */
function costOf(all: readonly Command[]): Cost {
  const commands = all.filter(({ needs }) => !needs.includes('table:Query:KEYS'));
  const reads = commands.filter(isRead);
  const writes = commands.filter((command) => !isRead(command));
  return { reads: unitsOf(reads), writes: unitsOf(writes), trips: roundTrips(commands) };
}

/** An instance whose commands to the table are counted. */
export async function startMeasuredInstance({ delayMs = 0 } = {}) {
  const watched = await startWatchedInstance({ delayMs, args: ['--no-demo'] });
  const { proxy, data } = watched;
  const { ready } = watched.instance;
  const { runtime, actor } = await openTarget(watched);
  const token = ready.admin.token as string;
  const instance: Instance = { runtime, actor, url: ready.url, token, jwt: await logIn(ready.url, token) };
  const endpoints = {
    dynamodb: watched.dynamodb,
    events: ready.events,
    secretsmanager: ready.secretsmanager,
  };
  return {
    data,
    instance,
    proxy,
    /** The variables of a function of the instance that runs in a process of its own. */
    env: (definition: Contract | Job) => ({
      ...sdkEnvironment({}, endpoints, { accessKeyId: 'local', secretAccessKey: 'local' }),
      ...settingsEnvironment({}, 'http://127.0.0.1:3000'),
      ...bindingsOf(definition, ready.table),
    }),
    /** The commands of one request, which may be refused. */
    async commandsOf(subject: Subject, isRefused = false): Promise<Command[]> {
      await proxy.settled();
      proxy.reset();
      await send(ready.url, subject).catch((error) => {
        if (!isRefused) throw error;
      });
      await proxy.settled();
      return [...proxy.commands];
    },
    /** The cost of one request: the lower one of two, since the activity of the caller is written once a minute. */
    async costOf(subjects: () => Promise<Subject>): Promise<Cost> {
      await send(ready.url, await subjects());
      const [one, other] = [
        costOf(await this.commandsOf(await subjects())),
        costOf(await this.commandsOf(await subjects())),
      ];
      return one.reads + one.writes <= other.reads + other.writes ? one : other;
    },
    async stop() {
      runtime.table.client.destroy();
      await watched.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}
