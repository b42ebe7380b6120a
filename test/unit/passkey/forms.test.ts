import { expect, test } from 'vitest';
import { createPasskey } from '#lib/passkey/create';
import { contract as assertion } from '#lib/passkey/passkey-assert.contract';
import { contract as creation } from '#lib/passkey/passkey-create.contract';
import { newAuthenticator } from '../../authenticator.ts';
import { by } from '../support/engine.ts';
import { INVALID, ORIGIN, openPasskeys } from './bench.ts';

const { account, session, optionsFor, runtime, sendWith } = await openPasskeys();

/** A credential ID whose base64 has padding, `+` and `/`. */
const RAW_ID = Uint8Array.from([0xfb, 0xff, 0xfe, ...Array.from({ length: 29 }, (_, index) => index)]);

const base64 = (text: string) => Buffer.from(text, 'base64url').toString('base64');
const FORMS: [string, (text: string) => string][] = [
  ['padded', (text) => text.padEnd(Math.ceil(text.length / 4) * 4, '=')],
  ['in base64', base64],
  ['in base64 without padding', (text) => base64(text).replace(/=+$/, '')],
];

/** The members of a credential in another form. */
const inForm = <Credential extends { id: string; rawId: string; response: object }>(
  { id, rawId, response, ...rest }: Credential,
  form: (text: string) => string,
) => ({
  ...rest,
  id: form(id),
  rawId: form(rawId),
  response: Object.fromEntries(
    Object.entries(response).map(([name, value]) => [name, typeof value === 'string' ? form(value) : value]),
  ),
});

/** Creates a passkey, and logs in with it, by bodies as their endpoints read them. */
async function useIn(form: (text: string) => string, formOfUse = form) {
  const ada = await account();
  const its = await session(ada);
  const device = newAuthenticator(RAW_ID.map((byte, index) => (index === 31 ? byte ^ turn++ : byte)));
  const created = device.create(await optionsFor('create', ada, its), { origin: ORIGIN });
  const { credential } = creation.body().parse({ credential: inForm(created, form) });
  await createPasskey(runtime, ada, its, 'phone', credential, by(ada.username));
  const given = device.get(await optionsFor('assert'), { origin: ORIGIN });
  const { data } = await sendWith(assertion.body().parse({ credential: inForm(given, formOfUse) }));
  return [data.username, ada.username];
}
/** Each passkey has another ID. */
let turn = 0;

const asIs = (text: string) => text;

test.each(FORMS)('a passkey whose members are %s is created, and logs in', async (_, form) => {
  for (const [created, used] of [
    [form, form],
    [form, asIs],
    [asIs, form],
  ] as const) {
    const [username, expected] = await useIn(created, used);
    expect(username).toBe(expected);
  }
});

test.each([
  ['a character of no alphabet', (text: string) => `${text.slice(0, -1)}!`],
  ['white space', (text: string) => `${text} `],
  ['padding in the middle', (text: string) => `${text.slice(0, 4)}=${text.slice(5)}`],
  ['too much padding', (text: string) => `${text}====`],
  ['nothing', () => ''],
])('a credential with %s in a member is refused', async (_, form) => {
  const ada = await account();
  const its = await session(ada);
  const created = newAuthenticator().create(await optionsFor('create', ada, its), { origin: ORIGIN });
  for (const credential of [inForm(created, form), { ...created, rawId: form(created.rawId) }]) {
    const body = creation.body().parse({ credential });
    const creating = createPasskey(runtime, ada, its, 'phone', body.credential, by(ada.username));
    await expect(creating).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'credential' }],
    });
    const given = { ...newAuthenticator().get(await optionsFor('assert'), { origin: ORIGIN }) };
    const sent = assertion.body().parse({ credential: inForm(given, form) });
    await expect(sendWith(sent)).rejects.toMatchObject(INVALID);
  }
});
