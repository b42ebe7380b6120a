import { expect } from 'vitest';
import type { InstanceProcess } from './instance-process.ts';
import { call, noted } from './service.ts';

/** An administrator of a local instance, whose requests must succeed. */
export function administratorOf({ ready }: InstanceProcess) {
  const admin = { token: noted(ready.admin.token as string), base: ready.url };
  async function post(path: string, json: object = {}) {
    const { status, body } = await call('POST', `/api/core/${path}`, { ...admin, json });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data;
  }
  return {
    post,
    /** Creates a machine account, for which the administrator answers. */
    async createMachine(username: string, roles: readonly string[]): Promise<void> {
      await post('account/create', { username, kind: 'machine', owner: ready.admin.username, roles });
    },
  };
}
