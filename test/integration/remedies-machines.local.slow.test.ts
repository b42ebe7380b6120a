import { afterAll, expect, test } from 'vitest';
import { apply, stepsOnPage } from './remedy.ts';
import { call } from './service.ts';
import { expectToWork, openThefts } from './thefts.ts';
import { ALL_ROLES, type Thief, thiefOn } from './thief.ts';

const thefts = await openThefts();
afterAll(thefts.close);
const { base, command, create, createMachine, incident, isActive, tokenOf } = thefts;

const DEPLOYER = '--issuer kubernetes --subject system:serviceaccount:shop:deployer';
/** A trust that the stolen token does not meet, although it has not expired. */
const NARROWER = `${DEPLOYER} --claim kubernetes.io={"node":{"name":"node-2"}}`;
const WORKFLOW = {
  issuer: 'github',
  subject: 'repo:acme@65/shop@74:ref:refs/heads/main',
  claims: { repository_id: '74' },
};
/** What a thief writes into a trust: its own workflow, of which it gets a token whenever it likes. */
const LOOT = {
  issuer: 'github',
  subject: 'repo:mallory@66/loot@77:ref:refs/heads/main',
  claims: { repository_id: '77' },
};

const ofCluster = () => tokenOf('kubernetes');
const ofOther = () => tokenOf('kubernetes', { 'kubernetes.io': { node: { name: 'node-2' } } });
const ofWorkflow = () => tokenOf('github');
const ofThief = () =>
  tokenOf('github', {
    ...{ repository: 'mallory/loot', repository_id: '77' },
    ...{ repository_owner: 'mallory', repository_owner_id: '66' },
  });

/** What a thief holds after it has stolen something of a machine. */
const STOLEN: Readonly<Record<string, (thief: Thief, trust: string) => Promise<unknown>>> = {
  'token of a platform': async (thief, trust) => {
    const token = await ofCluster();
    await thief.signIn(trust, async () => token);
  },
  'session of a machine': async (thief, trust) => {
    const job = thiefOn(base);
    await job.signIn(trust, ofCluster);
    thief.sessions.push(...job.sessions);
  },
};

/** Presents all that it has to a trust in twelve loops. */
async function goOn(thief: Thief, trust: string) {
  const tokens = await Promise.all(thief.grants.map(([, token]) => token()));
  const [jwt = ''] = thief.sessions;
  return thief.goOn((n) =>
    tokens.length > 0 && n % 2 === 0
      ? thief.exchange(trust, tokens[n % tokens.length] as string)
      : ['token/rotate/laptop/me', { jwt }],
  );
}

test.each(Object.keys(STOLEN))(
  'the remedy for a stolen %s ends it when twelve loops go on, and no trust of the same name revives a session',
  async (stolen) => {
    const machine = await createMachine('bot', await create('owner'));
    const trust = `deploy@${machine}`;
    await command(`trust create deploy ${machine} ${DEPLOYER}`);
    const thief = thiefOn(base);
    await STOLEN[stolen]?.(thief, trust);
    await expectToWork(thief);
    const stop = await goOn(thief, trust);
    await apply(stepsOnPage('platform'), incident(thief, new Date().toISOString(), machine));
    await stop();
    expect(await thief.survivors()).toEqual([]);

    await command(`trust create deploy ${machine} ${NARROWER}`);
    const job = thiefOn(base);
    await job.signIn(trust, ofOther);
    await expectToWork(job);
    expect(await thief.survivors()).toEqual([]);
  },
);

test('the remedy for an issuer ends its trusts of all machines, and no others', async () => {
  const owner = await create('owner');
  const [first, second] = [await createMachine('bot', owner), await createMachine('worker', owner)];
  const machines = [first, second];
  for (const machine of machines) await command(`trust create deploy ${machine} ${DEPLOYER}`);
  await command(`trust create backup ${second} ${DEPLOYER}`);
  const { issuer, subject, claims } = WORKFLOW;
  const id = `repository_id="${claims.repository_id}"`;
  await command(`trust create ci ${first} --issuer ${issuer} --subject ${subject} --claim ${id}`);
  const [thief, job] = [thiefOn(base), thiefOn(base)];
  await job.signIn(`ci@${first}`, ofWorkflow);
  for (const trust of [`deploy@${first}`, `deploy@${second}`, `backup@${second}`])
    await thief.signIn(trust, ofCluster);
  await expectToWork(thief);
  await apply(stepsOnPage('issuer'), {
    ...incident(thief, new Date().toISOString()),
    issuer: 'kubernetes',
  });
  expect(await thief.survivors()).toEqual([]);
  await expectToWork(job);

  for (const machine of machines) await command(`trust create deploy ${machine} ${NARROWER}`);
  await job.signIn(`deploy@${first}`, ofOther);
  expect(await thief.survivors()).toEqual([]);
});

test('the remedy for an administrator’s session ends machines and trusts that it made, and no trusts of others', async () => {
  const [root, person] = [await create('root', ...ALL_ROLES), await create('person')];
  const bot = await createMachine('bot', person);
  const time = new Date().toISOString();
  const thief = thiefOn(base);
  const as = await thefts.thefts.session(thief, root);
  const job = thiefOn(base);
  await command(`trust create deploy ${bot} ${DEPLOYER}`);
  await job.signIn(`deploy@${bot}`, ofCluster);

  const username = `${bot}.of-thief`;
  await thief.make('account/create', { ...as, json: { username, kind: 'machine', owner: root.username } });
  const to = { kind: 'machine', owner: root.username };
  await thief.make(`account/access/${person.username}`, { ...as, json: to });
  for (const machine of [bot, username, person.username]) {
    await thief.make(`trust/create/loot/${machine}`, { ...as, json: LOOT });
    await thief.signIn(`loot@${machine}`, ofThief);
  }
  await expectToWork(thief);
  const found = await apply(stepsOnPage('administrator'), incident(thief, time, root.username));
  expect(found.created).toEqual([username]);
  expect(await thief.survivors()).toEqual([]);
  expect(await Promise.all([bot, username].map(isActive))).toEqual([true, false]);
  await job.signIn(`deploy@${bot}`, ofCluster);
  const profile = await call('GET', '/api/core/account/profile', {
    base,
    jwt: job.sessions.at(-1) as string,
  });
  expect(profile.body.data.user.username).toBe(bot);
});
