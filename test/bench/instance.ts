import type { Contract, Job } from '#lib/contract/contract';
import { openTarget } from '../../infra/admin/target.ts';
import { bindingsOf, sdkEnvironment, settingsEnvironment } from '../../infra/local/sdk-environment.ts';
import { giveEveryRole } from '../integration/every-role.ts';
import { startWatchedInstance } from '../integration/watched-instance.ts';
import { type Command, roundTrips } from '../wire/dynamodb-proxy.ts';
import { type Instance, logIn, type Subject, send } from './subjects.ts';

/** The cost of a request: capacity units, those of indexes included, and commands that follow one another. */
function costOf(all: readonly Command[]) {
  // The read of the keys goes in parallel with another one, once in five seconds.
  const commands = all.filter(({ needs }) => !needs.includes('table:Query:KEYS'));
  const units = commands.reduce((total, command) => total + command.units, 0);
  return { units, trips: roundTrips(commands) };
}

/** An instance whose commands to the table are counted. */
export async function startMeasuredInstance() {
  const watched = await startWatchedInstance({ args: ['--no-demo'] });
  const { proxy, dynamodb } = watched;
  const { url, admin, events, secretsmanager, table } = watched.instance.ready;
  const { runtime, actor } = await openTarget(watched);
  await giveEveryRole(runtime);
  const token = admin.token as string;
  const instance: Instance = { runtime, actor, url, token, jwt: await logIn(url, token) };
  const endpoints = { dynamodb, events, secretsmanager };

  /** The commands of one request, which may be refused. */
  async function commandsOf(subject: Subject, isRefused = false): Promise<Command[]> {
    await proxy.settled();
    proxy.reset();
    proxy.delay(10);
    await send(url, subject).catch((error) => {
      if (!isRefused) throw error;
    });
    await proxy.settled();
    proxy.delay(0);
    return [...proxy.commands];
  }

  return {
    instance,
    commandsOf,
    /** The variables of a function of the instance that runs in a process of its own. */
    env: (definition: Contract | Job) => ({
      ...sdkEnvironment({}, endpoints, { accessKeyId: 'local', secretAccessKey: 'local' }),
      ...settingsEnvironment({}, 'http://127.0.0.1:3000'),
      ...bindingsOf(definition, table),
    }),
    /** The cost of one request: the lower one of two, since the activity of the caller is written once a minute. */
    async costOf(subjects: () => Promise<Subject>) {
      await send(url, await subjects());
      const [one, other] = [
        costOf(await commandsOf(await subjects())),
        costOf(await commandsOf(await subjects())),
      ];
      return one.units <= other.units ? one : other;
    },
    async stop() {
      runtime.table.client.destroy();
      await watched.stop();
    },
  };
}
