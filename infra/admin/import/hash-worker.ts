import { parentPort } from 'node:worker_threads';
import { hashPassword, type NewPassword } from '#lib/password/hash';

/** A password that is to be hashed. */
export interface Job {
  readonly id: number;
  readonly password: NewPassword;
  readonly cost: number;
}

/** What became of it. */
export interface Done {
  readonly id: number;
  readonly hash: string;
}

parentPort?.on('message', async ({ id, password, cost }: Job) => {
  parentPort?.postMessage({ id, hash: await hashPassword(password, cost) } satisfies Done);
});
