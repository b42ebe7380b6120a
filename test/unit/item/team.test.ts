import { expect, test } from 'vitest';
import { MEMBERSHIP_FIELDS, membershipSchema, TEAM_FIELDS, teamSchema } from '#lib/item/team';

const team = {
  team_id: '01964d3e-7c5a-7b3f-9d2e-1a2b3c4d5e6f',
  team_short: 'core',
  team_name: 'Core',
  team_type: '',
};

test('a team has an id, a short name, a name and a type, and nothing else', () => {
  expect(teamSchema().parse(team)).toEqual(team);
  expect(TEAM_FIELDS).toEqual(Object.keys(teamSchema().shape));
  expect(MEMBERSHIP_FIELDS).toEqual(Object.keys(membershipSchema().shape));
  for (const name of Object.keys(team))
    expect(teamSchema().safeParse({ ...team, [name]: undefined }).success, name).toBe(false);
  expect(teamSchema().safeParse({ ...team, team_id: 'core' }).success).toBe(false);
  expect(teamSchema().safeParse({ ...team, teamuser_lvl: null }).success).toBe(false);
});

test.each([null, 'admin'])('a membership is a team and a level, which may be %j', (teamuser_lvl) => {
  expect(membershipSchema().parse({ ...team, teamuser_lvl })).toEqual({ ...team, teamuser_lvl });
});

test('a membership without a level, or with more, is none', () => {
  expect(membershipSchema().safeParse(team).success).toBe(false);
  expect(membershipSchema().safeParse({ ...team, teamuser_lvl: 1 }).success).toBe(false);
  expect(membershipSchema().safeParse({ ...team, teamuser_lvl: null, more: 1 }).success).toBe(false);
});
