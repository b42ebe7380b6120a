import type { EventDefinition } from './event.ts';
import { changed, changeOf, text } from './fields.ts';

const passkeyName = () =>
  text(
    'Passkey name, unique within the account regardless of case; an earlier or later passkey may have the same name',
  );

/** A new passkey; the event contains neither its credential ID nor its public key. */
export const passkey_create = {
  type: 'passkey_create',
  version: '1',
  subject: 'account',
  summary: 'A passkey was created',
  own: () => ({
    passkey_name: passkeyName(),
    ...changed('passkey_created', 'Time at which the passkey was created'),
  }),
  detail: (_account, occurrence, passkey_name: string) => ({
    passkey_name,
    ...changeOf('passkey_created', occurrence),
  }),
  sample: 'phone',
} as const satisfies EventDefinition<'account', string>;

/** A removed passkey: it and the sessions that it opened are refused from the next request on. */
export const passkey_delete = {
  type: 'passkey_delete',
  version: '1',
  subject: 'account',
  summary: 'A passkey was removed',
  own: () => ({
    passkey_name: passkeyName(),
    ...changed('passkey_deleted', 'Time at which the passkey was removed'),
  }),
  detail: (_account, occurrence, passkey_name: string) => ({
    passkey_name,
    ...changeOf('passkey_deleted', occurrence),
  }),
  sample: 'phone',
} as const satisfies EventDefinition<'account', string>;
