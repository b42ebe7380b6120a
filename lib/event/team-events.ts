import * as z from 'zod/mini';
import type { Team } from '../item/team.ts';
import type { EventDefinition } from './event.ts';
import { ADMINISTRATOR, changed, changeOf, text, uuid } from './fields.ts';

export const team_create = {
  type: 'team_create',
  version: '1',
  subject: 'team',
  summary: 'A team was created',
  own: () => changed('created', 'Time at which the team was created', ADMINISTRATOR),
  detail: (_team, occurrence) => changeOf('created', occurrence),
} as const satisfies EventDefinition<'team'>;

export const team_rename = {
  type: 'team_rename',
  version: '1',
  subject: 'team',
  summary: 'A team has another name',
  own: () => ({
    former_name: text('Name of the team before'),
    ...changed('renamed', 'Time at which the team was renamed', ADMINISTRATOR),
  }),
  detail: (_team, occurrence, former_name) => ({ former_name, ...changeOf('renamed', occurrence) }),
  sample: 'Operation',
} as const satisfies EventDefinition<'team', string>;

export const team_delete = {
  type: 'team_delete',
  version: '1',
  subject: 'team',
  summary: 'A team was deleted; its members move to another one, if it names one',
  own: () => ({
    successor_id: z.optional(uuid('ID of the team that takes the members; absent without one')),
    successor_short: z.optional(text('Its short name')),
    ...changed('deleted', 'Time at which the team was deleted', ADMINISTRATOR),
  }),
  detail: (_team, occurrence, successor) => ({
    ...(successor && { successor_id: successor.team_id, successor_short: successor.team_short }),
    ...changeOf('deleted', occurrence),
  }),
  sample: {
    team_id: '0199c3ef-2b40-7e15-a3d8-51c0f7e2b964',
    team_short: 'SUPPORT',
    team_name: 'Support',
    team_type: 'internal',
  },
} as const satisfies EventDefinition<'team', Team | undefined>;
