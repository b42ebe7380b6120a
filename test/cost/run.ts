import { rm } from 'node:fs/promises';
import type { Measured } from '#infra/cost/measured';
import { createAccount } from '#lib/account/create';
import { relayOutbox } from '#lib/outbox/jobs';
import { contracts } from '#lib/routes';
import { measure } from './measure.ts';
import { startMeasuredInstance } from './measured-instance.ts';
import { ABOUT, FILLER, fillDirectory, idlePing, LARGEST, PING, subjectsOf } from './subjects.ts';

/** Of what takes most of a second, a few requests tell enough. */
const COUNTED: Readonly<Record<string, number>> = { 'account.login': 5, 'account.browse': 5 };

export interface Run {
  /** Of every endpoint, in their order. */
  readonly endpoints: readonly Measured[];
  /** Of the job that runs every minute. */
  readonly sweep: Measured;
  /** Of one request by a session, by an API token, and by a session that writes its activity. */
  readonly authentication: {
    readonly session: Measured;
    readonly token: Measured;
    readonly activity: Measured;
  };
}

/** Measures every function on an instance of its own. @param tell what is being measured */
export async function measureAll(tell: (id: string) => void): Promise<Run> {
  const { data, wire, instance, reset, stop } = await startMeasuredInstance();
  const { runtime, jwt, token } = instance;
  try {
    await fillDirectory(runtime, await createAccount(runtime, { username: FILLER, user_first_name: 'Ada' }));
    const endpoints: Measured[] = [];
    for (const contract of contracts) {
      const { id } = contract;
      tell(id);
      reset();
      const [method, path, json] = LARGEST[id] ?? [];
      const largest = method && path ? { method, path, json, jwt } : undefined;
      const more = { about: ABOUT[id], largest, counted: COUNTED[id] };
      endpoints.push(await measure(contract, subjectsOf(id, instance), wire, more));
    }
    tell('authentication');
    const authentication = {
      session: await measure(PING.contract, async () => ({ ...PING.request, jwt }), wire),
      token: await measure(PING.contract, async () => ({ ...PING.request, token }), wire),
      activity: await measure(PING.contract, idlePing(instance), wire),
    };
    tell(relayOutbox.id);
    const sweep = await measure(relayOutbox, { 'detail-type': 'Scheduled Event', detail: {} }, wire);
    return { endpoints, sweep, authentication };
  } finally {
    await stop();
    await rm(data, { recursive: true });
  }
}
