import { afterAll, expect, test } from 'vitest';
import { claimsIn, commandsIn, OPERATORS_PAGES } from './articles.ts';
import { apply, stepsIn } from './remedy.ts';
import { call, uniqueName } from './service.ts';
import { openThefts } from './thefts.ts';
import { ALL_ROLES, thiefOn } from './thief.ts';

const thefts = await openThefts({ Settings__SecondFactor: 'administrators' });
afterAll(thefts.close);
const { base, robbed, incident, command, redeemed, logIn } = thefts;

/** Blocks that end what a thief has of one account, and what people do between their lines. */
const BLOCKS = [
  ['infra/admin/stolen.md', 'An account'],
  ['infra/admin/stolen.md', 'In doubt, lock first'],
] as const;

const claims = [
  ...BLOCKS.map(([page, heading]) => ({ page, text: heading, steps: stepsIn(commandsIn(page, heading)) })),
  ...OPERATORS_PAGES.flatMap((page) =>
    claimsIn(page).map(({ text, commands }) => ({
      ...{ page, text },
      steps: [{ commands: commands.map((one) => (one.includes('<') ? one : `${one} <account>`)) }],
    })),
  ),
];

test.each(claims)('$page leaves nothing to a thief where it has: $text', async ({ steps }) => {
  const { owner, time, thief } = await robbed();
  await apply(steps, incident(thief, time, owner.username));
  expect(await thief.survivors()).toEqual([]);
});

/** Whoever makes the code: the operator of the block, or another administrator after a passkey. */
const MAKERS: Readonly<Record<string, (username: string, line: string) => Promise<string>>> = {
  'an operator': (_, line) => command(line),
  'another administrator': async (username) => {
    const { jwt } = await thiefOn(base).enrol(await thiefOn(base).logIn(...(await thefts.administrator())));
    const json = { end_passkeys: true };
    const { text, body } = await call('POST', `/api/core/account/code/${username}`, { base, jwt, json });
    expect(body.success, text).toBe(true);
    return body.data.code;
  },
};

test.each(Object.keys(MAKERS))(
  'an administrator without passkey and password is back by a code of %s, and nothing former works',
  async (maker) => {
    const { owner, thief } = await robbed('sys_administrator');
    const { username } = owner;
    const [code = '', , revoke = ''] = commandsIn(
      'infra/admin/incidents.md',
      'An administrator has neither passkey nor password',
    ).map((line) => line.replace(/^admin /, '').replace('<account>', username));
    const { jwt, password } = await redeemed(
      username,
      await (MAKERS[maker] as (typeof MAKERS)[string])(username, code),
    );
    const own = thiefOn(base);
    const raised = await own.enrol(jwt);
    await command(`${revoke} --yes`);

    expect(await thief.survivors()).toEqual([]);
    expect(await logIn(username, password)).toBe(200);
    // An addition of roles is for administrators with a passkey.
    const json = { username: uniqueName('new'), roles: ALL_ROLES };
    const created = await call('POST', '/api/core/account/create', { base, ...raised, json });
    expect(created.status, created.text).toBe(200);
  },
);
