import { beforeEach, expect, test } from 'vitest';
import { dialogs, field, fill, openPage, perform, press, settle, texts } from './opened.ts';

const team = (team_short: string, team_name: string) => ({
  team_id: team_short,
  team_short,
  team_name,
  team_type: 'department',
});

let teams: ReturnType<typeof team>[];
let isInUse: boolean;

beforeEach(() => {
  teams = [team('hr', 'Personnel'), team('ops', 'Operations')];
  isInUse = false;
});

const openTeams = () =>
  openPage({
    address: '#teams',
    answers: {
      'team/browse': () => ({ items: teams }),
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

const names = () => texts('tbody td[data-label="Name"]');
const message = () => texts('[role=status]').join(' ');

test('a team is renamed from its name, and renamed back', async () => {
  const { of } = await openTeams();
  await press('Rename');
  expect(field('Name').value).toBe('Operations');
  await fill({ Name: 'Support' });
  await press('Rename');
  expect(names()).toEqual(['Personnel', 'Support']);
  expect(message()).toContain('ops is now “Support”.');
  await press('Rename back');
  expect(of('team/rename/ops').map(({ body }) => body)).toEqual([
    { name: 'Support' },
    { name: 'Operations' },
  ]);
  expect(names()).toEqual(['Personnel', 'Operations']);
});

test('a team is deleted, and one of the others takes its accounts', async () => {
  const { of } = await openTeams();
  await press('Delete');
  await settle();
  const options = [...field('Team that takes its accounts').querySelectorAll('option')];
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'None: it has no accounts',
    'hr (Personnel)',
  ]);
  await fill({ 'Team that takes its accounts': 'hr' });
  await press('Delete');
  expect(of('team/delete/ops').map(({ body }) => body)).toEqual([{ to: 'hr' }]);
  expect(names()).toEqual(['Personnel']);
  expect(message()).toContain('ops is deleted. Its accounts move to hr');
});

test('a team without accounts is deleted alone', async () => {
  const { of } = await openTeams();
  await perform('Delete');
  expect(of('team/delete/ops').map(({ body }) => body)).toEqual([{}]);
  expect(message()).toContain('ops is deleted.');
});

test('a team with accounts stays, and the dialog shows the refusal', async () => {
  await openTeams();
  isInUse = true;
  await perform('Delete');
  expect(dialogs()).toEqual(['Delete: ops']);
  expect(texts('[role=alert]').join(' ')).toContain('Refused');
  expect(names()).toEqual(['Personnel', 'Operations']);
});
