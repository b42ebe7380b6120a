import { afterAll, beforeEach, inject, vi } from 'vitest';
import { refillAudit } from '#lib/audit/jobs';
import { type RefillRequest, refill } from '#lib/audit/refill';
import { isPublishRequest, publishNow } from '#lib/outbox/publish-now';
import type { Publish } from '#lib/outbox/publisher';
import type { Runtime } from '#lib/runtime';
import { openTable } from '#lib/table/table';
import { startInvocations } from '../../../infra/local/services/lambda/invocations.ts';

/**
 * Opens the service that invokes functions, with the relay and `audit.refill`, whose logs are empty, in this process. It
 * calls the engine itself. Call it once at the top of a test file.
 */
export async function openTestRelay(runtime: Runtime, publish: Publish) {
  const asked: object[] = [];
  const table = openTable(runtime.table.name, inject('engine'));
  let fault: Error | undefined;
  const invoke = async (id: string, event: unknown): Promise<unknown> => {
    asked.push({ id, event });
    if (fault) throw fault;
    if (id === refillAudit.id) {
      const empty = { page: async () => ({ lines: [] }) };
      const auditLog = { logGroupName: 'audit', append: async () => undefined };
      return refill(
        { ...runtime, table, auditLog, auditLines: empty, functionLog: empty },
        event as RefillRequest,
      );
    }
    if (!isPublishRequest(event as object)) throw new Error('Not a request of a command');
    return publishNow({ ...runtime, table, publish }, event as Parameters<typeof publishNow>[1]);
  };
  const { url, close } = await startInvocations({ invoke }, 'local');
  vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', url);
  beforeEach(() => {
    asked.length = 0;
    fault = undefined;
  });
  afterAll(async () => {
    table.client.destroy();
    await close();
  });
  return {
    url,
    /** The invocations of a test, in their order. */
    asked,
    /** Fails the invocations from now on. */
    fail(error: Error) {
      fault = error;
    },
  };
}
