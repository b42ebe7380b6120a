import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readAccount } from '#lib/account/account';
import { createAccount } from '#lib/account/create';
import { Failure, ignore } from '#lib/failure';
import type { Account } from '#lib/item/account';
import type { Announcing } from '#lib/outbox/announcement';
import { setPassword } from '#lib/password/set-password';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { createDemoData } from './demo.ts';
import { readJson, writeJson } from './machine/durable-file.ts';
import { NAMES } from './machine/resource-names.ts';
import { say } from './machine/terminal.ts';

/** The administrator; its secrets on the first start only. */
export interface Administrator {
  readonly username: string;
  readonly password?: string;
  readonly token?: string;
}

export interface FirstStart {
  /** Does what is left to do. */
  run(runtime: Announcing, options: { demo: boolean; password?: string | undefined }): Promise<Administrator>;
  /** To be called once the secrets were shown: no further start shows or changes them. */
  complete(): void;
  /** The table is new, so everything is to be done again. */
  reset(): void;
}

/**
 * What only the first start of a data directory does: the administrator, and demo data. One that was cut off
 * is completed by the next, which then gives the administrator other secrets, as nobody has seen the first.
 *
 * @param file tells how far it has come; where there is none, every start is a first one
 */
export function openFirstStart(file: string | undefined): FirstStart {
  const state = () => (file ? readJson<'begun' | 'done'>(file) : undefined);
  const set = (reached: 'begun' | 'done') => {
    if (file) writeJson(file, reached);
  };

  return {
    async run(runtime, { demo, password = randomBytes(12).toString('base64url') }) {
      const { administrator: username } = NAMES;
      if (state() === 'done') return { username };
      const existing = await readAccount(runtime.table, username);
      // A table that others share has its administrator already.
      if (state() === undefined && existing) return { username };
      set('begun');
      const account = await administrator(runtime, existing, password);
      const actor = { by: username, requestId: runtime.uuid() };
      if (demo) await createDemoData(runtime);
      await deleteToken(runtime, account, NAMES.firstToken, actor).catch(ignore('token_not_found'));
      const { value } = await createToken(runtime, account, NAMES.firstToken, actor);
      return { username, password, token: value as string };
    },
    complete: () => set('done'),
    reset() {
      if (state() !== undefined)
        say(
          'The table of this data directory is gone, and all accounts with it: this is a first start again.',
        );
      if (file) rmSync(file, { force: true });
    },
  };
}

async function administrator(runtime: Announcing, existing: Account | undefined, password: string) {
  try {
    if (!existing)
      return await createAccount(runtime, {
        username: NAMES.administrator,
        password,
        roles: ['sys_administrator', 'sys_tokens'],
      });
    await setPassword(runtime, existing, password);
    return existing;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_request') throw error;
    throw new Error(`ADMIN_PASSWORD: ${error.errors?.map(({ message }) => message).join('; ')}`);
  }
}
