import { parentPort } from 'node:worker_threads';
import { hashPassword } from '#lib/account/password-hash';

/** A password that is to be hashed. */
export interface Job {
  readonly id: number;
  readonly password: string;
  readonly username: string;
  readonly cost: number;
}

/** What became of it. */
export interface Done {
  readonly id: number;
  readonly hash: string;
}

parentPort?.on('message', async ({ id, password, username, cost }: Job) => {
  parentPort?.postMessage({ id, hash: await hashPassword(password, username, cost) } satisfies Done);
});
