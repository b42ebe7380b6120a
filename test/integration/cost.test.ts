import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Measured } from '#infra/cost/measured';
import { relayOutbox } from '#lib/outbox/jobs';
import { contracts } from '#lib/routes';
import { measure } from '../cost/measure.ts';
import { startMeasuredInstance } from '../cost/measured-instance.ts';
import { idlePing, PING, type Subject, subjectsOf } from '../cost/subjects.ts';

let started: Awaited<ReturnType<typeof startMeasuredInstance>>;

beforeAll(async () => {
  started = await startMeasuredInstance();
});

afterAll(() => started.stop());

const few = { counted: 3 };
const ofPing = (subject: () => Promise<Subject>) => measure(PING.contract, subject, started.wire, few);

/** An endpoint as `npm run cost` measures it. */
function ofEndpoint(id: string): Promise<Measured> {
  const contract = contracts.find((one) => one.id === id);
  if (!contract) throw new Error(`There is no endpoint ${id}`);
  return measure(contract, subjectsOf(id, started.instance), started.wire, few);
}

describe('what a request takes is measured', () => {
  it('of a session: one read unit in one round trip, and a line of the log', async () => {
    const { jwt } = started.instance;
    expect(await ofPing(async () => ({ ...PING.request, jwt }))).toMatchObject({
      reads: 1,
      writes: 0,
      roundTrips: 1,
      events: 0,
      logLines: 1,
      auditLines: 0,
    });
  });

  it('of an API token: two read units in one round trip', async () => {
    const { token } = started.instance;
    expect(await ofPing(async () => ({ ...PING.request, token }))).toMatchObject({
      reads: 2,
      writes: 0,
      roundTrips: 1,
    });
  });

  it('of activity: the account and its copy in the index, after it was read', async () => {
    expect(await ofPing(idlePing(started.instance))).toMatchObject({ reads: 1, writes: 2, roundTrips: 2 });
  });

  it('of a cancel: its transaction, its event, and its audit line beside that of the log', async () => {
    const cancel = await ofEndpoint('account.cancel');
    expect(cancel).toMatchObject({ reads: 2, events: 1, logLines: 2, auditLines: 1 });
    expect(cancel.writes).toBeGreaterThan(6);
    expect(cancel.auditBytes).toBeLessThan(cancel.logBytes);
  });

  it('of the sweep: one query and one line a run', async () => {
    const sweep = await measure(relayOutbox, { detail: {} }, started.wire, few);
    expect(sweep).toMatchObject({ writes: 0, roundTrips: 1, logLines: 1 });
    expect(sweep.logBytes).toBeGreaterThan(100);
  });

  it('in CPU time and memory of the function alone, its start apart', async () => {
    const { cpuMs, firstCpuMs, loadCpuMs, peakMb } = await ofEndpoint('system.uuid');
    expect(Math.min(cpuMs, firstCpuMs - cpuMs, loadCpuMs)).toBeGreaterThan(0);
    expect(peakMb).toBeGreaterThan(40);
    expect(peakMb).toBeLessThan(200);
  });
});
