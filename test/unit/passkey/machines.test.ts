import { expect, test } from 'vitest';
import { becomeMachine } from '#lib/account/access';
import type { Account } from '#lib/item/account';
import { createPasskey } from '#lib/passkey/create';
import { newAuthenticator } from '../../authenticator.ts';
import { by } from '../support/engine.ts';
import { ORIGIN, openPasskeys } from './bench.ts';

const { wire, runtime, account, stored, session, optionsFor } = await openPasskeys();

const REFUSED = { code: 'machine_account', errors: [{ field: 'session' }] };

const toMachine = async (of: Account) => becomeMachine(runtime, of, (await account()).username, by('admin'));

/** What a person sends who creates a passkey. */
async function enrolment() {
  const person = await account();
  const its = await session(person);
  const options = await optionsFor('create', person, its);
  const credential = newAuthenticator().create(options, { origin: ORIGIN });
  const create = (of: Account) => createPasskey(runtime, of, its, 'phone', credential, by(person.username));
  return { person, its, create };
}

test('a machine creates no passkey, and gets no options for one, whatever its session', async () => {
  const { person, its, create } = await enrolment();
  await toMachine(person);
  const machine = await stored(person);
  await expect(optionsFor('create', machine, its)).rejects.toMatchObject(REFUSED);
  await expect(create(machine)).rejects.toMatchObject(REFUSED);
  expect(await stored(person)).toEqual(machine);
});

test('a person who becomes a machine meanwhile gets no passkey', async () => {
  const { person, create } = await enrolment();
  wire.before(
    (operation, sent) => operation === 'TransactWriteItems' && JSON.stringify(sent).includes('SPENT#'),
    () => toMachine(person),
  );
  await expect(create(person)).rejects.toMatchObject(REFUSED);
  expect(await stored(person)).toMatchObject({ kind: 'machine' });
  expect(await stored(person)).not.toHaveProperty('passkeys');
});

test('a passkey that is stored while its owner becomes a machine ends with the others', async () => {
  const { person, create } = await enrolment();
  wire.before(
    (operation, sent) => operation === 'TransactWriteItems' && !JSON.stringify(sent).includes('SPENT#'),
    () => create(person),
  );
  const { details } = await toMachine(person);
  expect(details).toMatchObject({ passkeys_ended: 1 });
  expect(await stored(person)).not.toHaveProperty('passkeys');
});
