import { h } from 'preact';
import { afterEach, expect, test, vi } from 'vitest';
import { KINDS, keptAfter } from '#lib/erasure/kept';
import { erasure as de } from '../../../infra/admin-page/texts/de/erasure.ts';
import { erasure as en } from '../../../infra/admin-page/texts/en/erasure.ts';
import { all, fill, openPage, press, scriptFetch, settle, show, texts } from './opened.ts';

const ID = '019b76da-9c00-7a34-8352-7c2e2c660b1a';
const ERASED_AT = '2026-11-20T12:00:00.000Z';
const STACK = { logs: 30, archive: 90, backups: 0, deadLetters: 14 };
const KEPT = keptAfter(ERASED_AT, STACK, { AuditDays: 90, SecurityStampCacheSeconds: 0 });
const ERASED = { userid: ID, erased_at: ERASED_AT, erased_by: 'ada', complete: false, kept: KEPT };

const ACCOUNT = {
  id: ID,
  username: 'zoe.leaver',
  user_first_name: 'Zoe',
  user_last_name: 'Leaver',
  isactive: false,
  islocked: false,
  created_at: '2026-01-01T00:00:00Z',
  lastActivity: '2026-01-02T00:00:00',
};

const { TZ } = process.env;

afterEach(() => {
  process.env['TZ'] = TZ;
});

/** Erases an account from its page. */
async function erase(language?: 'de', answer: object = ERASED) {
  const page = await openPage({
    address: '#account?username=zoe.leaver',
    ...(language && { language }),
    answers: {
      'account/browse': ({ query }) => ({
        items:
          query['username'] === 'ada'
            ? [{ username: 'ada', user_first_name: 'Ada', user_last_name: 'Lovelace' }]
            : [ACCOUNT],
      }),
      'account/profile/zoe': () => ({ user: ACCOUNT, roles: [], apps: [], teams: [] }),
    },
  });
  await settle();
  await press(language ? 'Weitere Aktionen' : 'More actions');
  const [button, confirm] = language
    ? ['Endgültig löschen', 'Zur Bestätigung zoe.leaver eingeben']
    : ['Erase for good', 'Type zoe.leaver to confirm'];
  await press(button);
  const label = all('dialog label').find(({ textContent }) => textContent?.includes('zoe.leaver'));
  await fill({ [label?.textContent ?? confirm]: 'zoe.leaver' });
  await press(button);
  page.of('account/erase')[0]?.answer(answer, 'Done', { 'x-request-id': 'r-erase' });
  await settle();
  return page;
}

/** The facts of the document by their names. */
const facts = () =>
  Object.fromEntries(
    all('.document dl > div').map((each) => [
      each.querySelector('dt')?.textContent,
      each.querySelector('dd')?.textContent,
    ]),
  );

test('an erasure requires the username, leads to the list of people, and shows its proof', async () => {
  process.env['TZ'] = 'UTC';
  const { of } = await erase();
  const [sent] = of('account/erase');
  expect([sent?.method, sent?.path, location.hash]).toEqual([
    'POST',
    'account/erase/zoe.leaver',
    '#accounts',
  ]);
  expect(texts('.document h1')).toEqual(['Proof of erasure']);
  expect(facts()).toMatchObject({
    Organisation: 'localhost:3000',
    Username: 'zoe.leaver',
    'ID of the account': ID,
    Erased: 'Friday, 20 November 2026 at 12:00:00 UTC',
    'Erased by': 'Ada Lovelace (ada)',
    'Request in the audit log': 'r-erase',
    State: expect.stringMatching(/^The account is gone.*21 November 2026/),
  });
  expect(texts('.document li')).toContain('Password, one-time code and passkeys');
});

test('the proof names what stays, where, until which day and why', async () => {
  await erase();
  const rows = all('.document tbody tr').map((row) => [...row.children].map((cell) => cell.textContent));
  expect(rows).toHaveLength(KEPT.length);
  expect(rows[0]).toEqual([
    'Audit log',
    expect.stringContaining('Username'),
    '21 November 2027 (365 days)',
    expect.stringContaining('Proof'),
  ]);
  expect(rows.at(-1)?.slice(0, 3)).toEqual([
    'Mark of the erasure',
    expect.stringContaining('ID of the account'),
    'Always',
  ]);
});

test('after an erasure the address, the title and the stores of the page have no name', async () => {
  await erase();
  const kept = [location.href, document.title, JSON.stringify({ ...sessionStorage, ...localStorage })];
  expect(kept.filter((text) => /zoe|leaver/i.test(text))).toEqual([]);
  expect(document.title).toBe('Proof of erasure – localhost:3000');
  await press('Close');
  expect(document.body.innerHTML).not.toContain('article');
  expect(document.title).not.toContain('Proof');
});

test('the proof of a complete erasure says so, and one by an operator names none', async () => {
  await erase(undefined, { ...ERASED, complete: true, erased_by: 'operator:administrator' });
  expect(facts()).toMatchObject({
    'Erased by': 'an operator of the service, by a command',
    State: 'Complete: nothing is left except what is listed below.',
  });
});

test('a kind of what stays that the page does not know is shown in the words of the service', async () => {
  const later = { kind: 'moon', where: 'moon', what: 'dust', lasts: 'a while', why: 'none', until: null };
  await erase(undefined, { ...ERASED, kept: [later] });
  expect(texts('.document td')).toEqual(['moon', 'dust', 'a while', 'none']);
});

const entry = (part: object) => ({ outcome: 'ok', changed: true, action: 'account.erase', ...part });

test.each([
  ['ada', 'account.erase', 'r-first'],
  ['operator:administrator', 'admin account erase', 'r-first'],
  ['ada', 'account.erase', ''],
])(
  'a later proof of an erasure by %s repeats it by the ID, and finds %s of Activity: “%s”',
  async (by, action, id) => {
    document.documentElement.dataset['session'] = '';
    const { openErasureProof } = await import('../../../infra/admin-page/accounts/erasure-proof.tsx');
    const { Documents } = await import('../../../infra/admin-page/document.tsx');
    const sent = scriptFetch({
      'account/erase': () => ({ ...ERASED, erased_by: by, complete: true }),
      'audit/browse': () => ({
        items: [entry({ changed: false, requestId: 'r-repeat' }), ...(id ? [entry({ requestId: id })] : [])],
      }),
    });
    show(h(Documents, {}));
    openErasureProof(ID);
    await settle();
    const [erase, browse] = sent;
    expect([erase?.method, erase?.path]).toEqual(['POST', `account/erase/${ID}`]);
    expect(browse?.query).toMatchObject({ target: `erased:${ID}`, action });
    expect(facts()).toMatchObject({
      'ID of the account': ID,
      'Request in the audit log': id || 'no longer in Activity; the audit log of the operator has it',
    });
    expect(facts()).not.toHaveProperty('Username');
    await press('Close');
  },
);

test('the document prints by its button, and Escape or another address closes it', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  await erase();
  await press('Print or save as PDF');
  expect(print).toHaveBeenCalledOnce();
  dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  await settle();
  expect(all('.document')).toEqual([]);
  await erase();
  history.pushState(null, '', '#teams');
  dispatchEvent(new Event('hashchange'));
  await settle();
  expect(all('.document')).toEqual([]);
});

test('the proof is in German on a German page', async () => {
  await erase('de');
  expect(texts('.document :is(h1, h2, th)')).toEqual([
    'Nachweis der Löschung',
    'Was gelöscht wurde',
    'Was bleibt, bis wann und warum',
    'Wo',
    'Was',
    'Bis',
    'Warum',
  ]);
  expect(texts('.document button')).toEqual(['Drucken oder als PDF speichern', 'Schließen']);
  expect(texts('.document').join()).not.toMatch(/\b(the|and|until|of|erased)\b/);
});

test.each([
  ['en', en],
  ['de', de],
])('each kind of what stays has its texts in %s', (_, { kept }) => {
  expect(Object.keys(kept)).toEqual(KINDS);
});
