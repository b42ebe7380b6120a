import { hash } from 'node:crypto';
import type { AuthenticatorTransport } from '@simplewebauthn/server';
import * as z from 'zod/mini';
import type { Account } from '../item/account.ts';
import type { Passkey } from '../item/passkey.ts';
import { passkeyKey } from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { SchemaTexts } from '../texts.ts';
import { EARLIER_NAME, isStorable, MAX_EARLIER_NAME, MAX_NAME, NAME, typedName } from './name.ts';

/** ID of a passkey, under which it is stored. @param credential its credential ID, in base64url */
export const passkeyIdOf = (credential: string) => hash('sha256', credential, 'base64url');

const form = (longest: number) =>
  `Must be 1 to ${longest} characters, one of them visible, without / \\ and control characters, and other than . and ..`;

/** Name of a new passkey. */
export const newPasskeyName = () =>
  z
    .string()
    .check(z.overwrite(typedName), z.regex(NAME, form(MAX_NAME)), z.refine(isStorable, form(MAX_NAME)));

/** Name of a passkey that an account may have. */
export const passkeyName = () =>
  z.string().check(z.overwrite(typedName), z.regex(EARLIER_NAME, form(MAX_EARLIER_NAME)));

/** A passkey in a listing, without its public key. */
export const passkeySchema = () =>
  z.strictObject({
    name: z.string(),
    created_at: z.string(),
    used_at: z.nullable(z.string()),
    rp_id: z.string(),
    usable: z.boolean(),
    transports: z.array(z.string()),
    backup_eligible: z.boolean(),
    backed_up: z.boolean(),
    counter_fell_at: z.nullable(z.string()),
    credential_id: z.optional(z.string()),
  });

export const passkeyTexts = {
  name: 'Passkey',
  schema: passkeySchema,
  fields: {
    name: 'Name of the passkey, unique within its account regardless of case',
    created_at: 'Time of creation (UTC, ends in `Z`)',
    used_at: 'Time of the last assertion (UTC, ends in `Z`); null if there was none',
    rp_id: 'Domain that it belongs to',
    usable: 'Whether it works: its domain is that of the instance',
    transports:
      'Ways to reach its device, such as `internal`, `hybrid` or `usb`, as the browser reported them',
    backup_eligible: 'Whether it can be copied to other devices',
    backed_up: 'Whether it was copied at its last use',
    counter_fell_at:
      'Time of its first refusal because its signature counter did not rise (UTC, ends in `Z`): its device was reset, or somebody has a copy. Remove the passkey, and create it again. Null otherwise',
    credential_id: 'Credential ID in base64url; in your own list only',
  },
} as const satisfies SchemaTexts;

/**
 * @param domain that of the instance
 * @param account of the passkey
 */
export const shown = (
  passkey: Passkey,
  domain: string,
  { counters_fell = {} }: Pick<Account, 'counters_fell'>,
): z.output<ReturnType<typeof passkeySchema>> => ({
  name: passkey.passkey_name,
  created_at: passkey.passkey_created_at,
  used_at: passkey.passkey_used_at ?? null,
  rp_id: passkey.rp_id,
  usable: passkey.rp_id === domain,
  transports: [...passkey.transports],
  backup_eligible: passkey.backup_eligible,
  backed_up: passkey.backed_up,
  counter_fell_at: counters_fell[passkeyIdOf(passkey.credential_id)] ?? null,
});

/** The passkeys of an account, oldest first, in one round trip; none without one. */
export async function passkeysOf(table: Table, { passkeys = {} }: Account): Promise<Passkey[]> {
  const found = await getAll(table, Object.values(passkeys).map(passkeyKey));
  return found
    .filter((passkey) => passkey !== undefined)
    .sort((one, other) => (one.passkey_created_at < other.passkey_created_at ? -1 : 1));
}

/** Those of an account in the form that browsers expect, to be used or not to be created again. */
export const descriptorsOf = async (table: Table, account: Account, rpId: string) =>
  (await passkeysOf(table, account))
    .filter(({ rp_id }) => rp_id === rpId)
    .map(({ credential_id: id, transports }) => ({
      type: 'public-key' as const,
      id,
      transports: [...transports] as AuthenticatorTransport[],
    }));

export const inBase64url = (text: string) => Buffer.from(text).toString('base64url');

/** What a device keeps to tell the account of a passkey. */
export const userHandleOf = ({ id }: Pick<Account, 'id'>) => inBase64url(id);
