import { createHmac } from 'node:crypto';
import {
  GetSecretValueCommand,
  type GetSecretValueCommandInput,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { expecting } from '../table/expressions.ts';
import { erasureKeyCheckKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { put } from '../table/write.ts';
import { foldCase } from '../text/fold-case.ts';

/** Code of {@link OtherKey}, and of the line of the log about it, which an alarm counts. */
export const KEY_DIFFERS = 'erasure_key_differs';

/** Thrown in place of a hash by a key that is not the one of the table: with it, the names of erased accounts look free. */
export class OtherKey extends Error {
  constructor() {
    super(
      'The erasure key of the instance is not the one of its table: "restore adopt-key" copies a kept one',
    );
    this.name = KEY_DIFFERS;
  }
}

/** HMAC-SHA256 in base64url. Without the key, which the table does not have, nobody can try names. */
export const hashWith = (key: string, username: string) =>
  createHmac('sha256', key).update(foldCase(username)).digest('base64url');

/** The check value of a key: the hash of a text that is no username, since it has spaces. */
export const checkOf = (key: string) => hashWith(key, 'check of the erasure key');

/** Reads a version of a secret, by default the current one. */
export async function readErasureKey(
  secrets: SecretsManagerClient,
  version: GetSecretValueCommandInput,
): Promise<string> {
  const { SecretString } = await secrets.send(new GetSecretValueCommand(version));
  if (!SecretString) throw new Error('The erasure key is empty');
  return SecretString;
}

/** The check value of a table; undefined until one is written. */
export const storedCheck = async (table: Table): Promise<string | undefined> =>
  (await get(table, erasureKeyCheckKey))?.key_check;

/**
 * Writes the check value of a key into a table that has none, or another one.
 *
 * @param former the present value, by default none
 * @returns whether it was still the present one
 */
export async function writeCheck(
  { name, client }: Table,
  key: string,
  former: string | undefined = undefined,
): Promise<boolean> {
  const item = { key_check: checkOf(key) };
  return !(await put({ name, client }, erasureKeyCheckKey, item, expecting({ key_check: former })));
}
