import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Language } from '#lib/admin-page/languages';
import { all, dialogs, field, fill, openPage, perform, pick, press, settle, texts } from './opened.ts';

const team = (team_short: string, team_name: string) => ({
  team_id: team_short,
  team_short,
  team_name,
  team_type: 'department',
});

const person = (username: string, last: string) => ({
  id: `id-${username}`,
  username,
  user_first_name: username[0]?.toUpperCase() + username.slice(1),
  user_last_name: last,
  kind: 'person',
  isactive: true,
});

let teams: ReturnType<typeof team>[];
let isInUse: boolean;

beforeEach(() => {
  teams = [team('hr', 'Personnel'), team('ops', 'Operations')];
  isInUse = false;
});

const open = (address = '#teams', language: Language = 'en') =>
  openPage({
    address,
    language,
    answers: {
      'account/browse': ({ query }) => {
        if (query['q']) return { items: [person(query['q'], 'Found')] };
        if (query['username']) return { items: [person(query['username'], 'Found')] };
        if (query['team']) return { items: [person('emma', 'Müller')] };
        return query['cursor']
          ? {
              items: [{ ...person('ben', 'Ott'), team_shorts: ['ops'] }],
              ...(isEndless && { next_cursor: 'more' }),
            }
          : {
              items: [{ ...person('emma', 'Müller'), team_shorts: ['OPS', 'hr'] }],
              next_cursor: isEndless ? 'more' : 'last',
            };
      },
      'team/browse': () => ({ items: teams }),
      'team/create/support-und-pflege': ({ body }) => {
        teams.push(team('support-und-pflege', body.name));
        return teams[2];
      },
      'team/rename/ops': ({ body }) => {
        teams[1] = team('ops', body.name);
        return { ...teams[1], changed: true };
      },
      'team/delete/ops': ({ body, refuse }) => {
        if (isInUse) return refuse(409, 'team_in_use') as undefined;
        return { ...teams.pop(), moved_to: body.to ?? null };
      },
    },
  });

let isEndless = false;
afterEach(() => {
  isEndless = false;
});

const cells = (label: string) => all(`tbody [data-label="${label}"]`).map(({ textContent }) => textContent);
const names = () => cells('Team');
const message = () => texts('[role=status]').join(' ');

describe('the list', () => {
  test('has the number of members of each team from one pass through the accounts, and links to their pages', async () => {
    const { of } = await open();
    await settle();
    expect([names(), cells('Members')]).toEqual([
      ['Personnel', 'Operations'],
      ['1', '2'],
    ]);
    expect(of('account/browse').map(({ query }) => query)).toEqual([
      { names: 'true', limit: '1000' },
      { names: 'true', limit: '1000', cursor: 'last' },
    ]);
    expect(all('td a, th a', 'Operations').map((link) => link.getAttribute('href'))).toEqual([
      '#team?short=ops',
    ]);
  });

  test('a team is renamed from its name, and renamed back', async () => {
    const { of } = await open();
    await press('Rename');
    expect([dialogs(), field('Name').value]).toEqual([['Rename Operations'], 'Operations']);
    await fill({ Name: 'Support' });
    await press('Rename');
    expect(names()).toEqual(['Personnel', 'Support']);
    expect(message()).toContain('Operations is now “Support”.');
    await press('Rename back');
    expect(of('team/rename/ops').map(({ body }) => body)).toEqual([
      { name: 'Support' },
      { name: 'Operations' },
    ]);
    expect(names()).toEqual(['Personnel', 'Operations']);
  });

  test('a team is deleted, and one of the others takes its members', async () => {
    const { of } = await open();
    await press('Delete');
    await settle();
    const options = [...field('Team that takes its members').querySelectorAll('option')];
    expect(options.map(({ textContent }) => textContent)).toEqual([
      'None: it has no members',
      'Personnel (hr)',
    ]);
    await fill({ 'Team that takes its members': 'hr' });
    await press('Delete');
    expect(of('team/delete/ops').map(({ body }) => body)).toEqual([{ to: 'hr' }]);
    expect(names()).toEqual(['Personnel']);
    expect(message()).toContain('Operations is deleted. Its members move to hr');
  });

  test('a team without members is deleted alone', async () => {
    const { of } = await open();
    await perform('Delete');
    expect(of('team/delete/ops').map(({ body }) => body)).toEqual([{}]);
    expect(message()).toContain('Operations is deleted.');
  });

  test('a team with members stays, and the dialog shows the refusal', async () => {
    await open();
    isInUse = true;
    await perform('Delete');
    expect(dialogs()).toEqual(['Delete the team Operations?']);
    expect(texts('[role=alert]')).toHaveLength(1);
    expect(names()).toEqual(['Personnel', 'Operations']);
  });

  test('the short name of a new team follows its name until another one is typed', async () => {
    const { of } = await open();
    await press('Create team');
    await fill({ Name: 'Support und Pflege' });
    expect(field('Short name').value).toBe('support-und-pflege');
    await fill({ 'Short name': 'sup' });
    await fill({ Name: 'Support' });
    expect(field('Short name').value).toBe('sup');
    await fill({ 'Short name': '' });
    await fill({ Name: 'Support und Pflege' });
    await press('Create team');
    await settle();
    expect(of('team/create').map(({ path, body }) => [path, body])).toEqual([
      ['team/create/support-und-pflege', { name: 'Support und Pflege', type: 'department' }],
    ]);
    expect([location.hash, texts('h1')]).toEqual(['#team?short=support-und-pflege', ['Support und Pflege']]);
  });
});

test('many accounts are counted up to some requests, and the numbers say that there are more', async () => {
  isEndless = true;
  const { of } = await open();
  await settle();
  expect([cells('Members'), of('account/browse').length]).toEqual([['1+', '5+'], 5]);
});

describe('the page of a team', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  const openTeam = async (language?: Language) => {
    const page = await open('#team?short=OPS', language);
    await settle();
    return page;
  };

  async function pickPerson(text: string) {
    await fill({ People: text });
    await vi.advanceTimersByTimeAsync(150);
    await settle();
    await pick({ People: text });
  }

  test('lists its people with their states', async () => {
    const { of } = await openTeam();
    expect([texts('h1'), cells('Person'), cells('State')]).toEqual([
      ['Operations'],
      ['Emma Müller emma'],
      ['Active'],
    ]);
    expect(of('account/browse').map(({ query }) => query)).toEqual([{ team: 'ops', limit: '50' }]);
  });

  test('several people are added as one operation, and only those whom it changed are taken back', async () => {
    const { of } = await openTeam();
    await press('Add people');
    await press('Add people');
    expect(texts('dialog .error').join()).toContain('Nobody is picked yet.');
    await pickPerson('ben');
    await pickPerson('cora');
    expect(texts('dialog .chip')).toEqual(['Ben Found', 'Cora Found']);
    await press('Add people');
    const sent = of('account/access');
    expect(sent.map(({ path, body }) => [path, body])).toEqual([
      ['account/access/ben', { add: { teams: ['ops'] } }],
      ['account/access/cora', { add: { teams: ['ops'] } }],
    ]);
    sent[0]?.answer({ teams_added: ['t-1'], teams_removed: [] });
    sent[1]?.answer({ teams_added: [], teams_removed: [] });
    await settle();
    expect(message()).toContain('1 person is in Operations now.');
    await press('Undo');
    expect(
      of('account/access')
        .slice(2)
        .map(({ path, body }) => [path, body]),
    ).toEqual([['account/access/ben', { remove: { teams: ['ops'] } }]]);
  });

  test('a report names the people who could not be added', async () => {
    const { of } = await openTeam();
    await press('Add people');
    await pickPerson('ben');
    await pickPerson('cora');
    await press('Add people');
    const sent = of('account/access');
    sent[0]?.answer({ teams_added: ['t-1'], teams_removed: [] });
    sent[1]?.refuse(409, 'account_cancelled');
    await settle();
    expect(texts('dialog li').join()).toContain('Cora Found');
    expect(texts('dialog p').join()).toContain('1 person was not added. The others were.');
    await press('Close');
  });

  test('a person is removed from it, and added again', async () => {
    const { of } = await openTeam();
    await press('Remove');
    expect(dialogs()).toEqual(['Remove Emma Müller from Operations?']);
    await press('Remove');
    of('account/access')[0]?.answer({ teams_added: [], teams_removed: ['t-1'] });
    await settle();
    expect(message()).toContain('Emma Müller is not in Operations any more.');
    await press('Undo');
    expect(of('account/access').map(({ body }) => body)).toEqual([
      { remove: { teams: ['ops'] } },
      { add: { teams: ['ops'] } },
    ]);
  });

  test('a deletion leads to all teams', async () => {
    await openTeam();
    await perform('Delete');
    await settle();
    expect([location.hash, message()]).toEqual(['#teams', expect.stringContaining('Operations is deleted.')]);
  });

  test('a team that is gone says so', async () => {
    await open('#team?short=none');
    await settle();
    expect(texts('.empty p')).toEqual(['There is no such team. It may have been deleted.']);
  });

  test('has no English in German', async () => {
    await openTeam('de');
    expect([texts('thead th').slice(0, 3), texts('.heading button')]).toEqual([
      ['Person', 'Zustand', 'Zuletzt aktiv'],
      ['Personen hinzufügen', 'Umbenennen', 'Löschen'],
    ]);
    await press('Personen hinzufügen');
    expect(dialogs()).toEqual(['Personen zu Operations hinzufügen']);
  });
});
