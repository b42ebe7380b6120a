import { settingsFromEnvironment } from '#lib/instance/settings';
import { CLIENT_LIMITS } from '#lib/network/aws';
import { runtimeOn } from '#lib/runtime';
import { SETTLED_MS } from '#lib/table/pass';
import { openTable } from '#lib/table/table';
import { deleteTeam } from '#lib/team/delete';
import { followTeams } from '#lib/team/follow';
import { createTeam } from '#lib/team/team';
import { MINUTE_MS } from '#lib/time';
import { sdkEnvironment } from '../../infra/local/sdk-environment.ts';
import { startEngine } from '../../infra/local/services/engine.ts';
import { ensureTable } from '../../infra/table/ensure.ts';
import { openProxy } from '../wire/dynamodb-proxy.ts';
import { fillDirectory } from './fill.ts';
import type { Benchmark, Row } from './report.ts';

const BY = { actor: { by: 'bench', requestId: 'bench' }, publish: async () => [] };
const WRITES = /Update|Write|Delete/;

/** Counts what the deletion of a team costs that all accounts are members of: each run of the job until it is complete. */
export const teams: Benchmark = async ({ accounts, tell }) => {
  await using open = new AsyncDisposableStack();
  const engine = open.adopt(await startEngine(undefined, '/dev/null'), ({ close }) => close());
  const wire = open.adopt(await openProxy(engine.url), ({ close }) => close());
  Object.assign(
    process.env,
    sdkEnvironment(
      {},
      { dynamodb: wire.url, events: wire.url, secretsmanager: wire.url },
      { accessKeyId: 'local', secretAccessKey: 'local' },
    ),
  );
  const table = openTable('teams', wire.url, CLIENT_LIMITS);
  open.defer(() => table.client.destroy());
  await ensureTable(table, () => undefined);
  let time = Date.now();
  const runtime = {
    ...runtimeOn(table, 'bench', settingsFromEnvironment({})),
    now: () => time,
    publish: BY.publish,
  };
  for (const short of ['from', 'to']) await createTeam(runtime, { short, name: short, type: 'bench' });
  tell(`writing ${accounts} accounts`);
  await fillDirectory(runtime, accounts, undefined, ['from']);
  wire.shorten(table.client);

  const counted = async (label: string, run: () => Promise<unknown>): Promise<Row> => {
    tell(label);
    wire.reset();
    await run();
    const units = (isWrite: boolean) =>
      wire.commands
        .filter(({ operation }) => WRITES.test(operation) === isWrite)
        .reduce((sum, command) => sum + command.units, 0);
    return [label, wire.commands.length, units(false), units(true)];
  };
  const rows = [
    await counted('refused, counted', () =>
      deleteTeam(runtime, { short: 'from' }, BY.actor).catch(() => undefined),
    ),
    await counted('deleted', () => deleteTeam(runtime, { short: 'from', to: 'to' }, BY.actor)),
  ];
  for (let run = 1, left = 1; left > 0; run++) {
    rows.push(
      await counted(`run ${run}`, async () => {
        ({ left } = await followTeams(runtime, 'bench'));
      }),
    );
    time += run < 2 ? 5 * MINUTE_MS : SETTLED_MS;
  }
  return {
    title: `The deletion of a team of ${accounts} members: commands, read units and write units.`,
    columns: ['commands', '  read units', ' write units'],
    rows,
  };
};
