import type { EventDefinition } from './event.ts';
import { ADMINISTRATOR, changed, changeOf } from './fields.ts';

export const team_create = {
  type: 'team_create',
  version: '1',
  subject: 'team',
  summary: 'A team was created',
  own: () => changed('created', 'Time at which the team was created', ADMINISTRATOR),
  detail: (_team, occurrence) => changeOf('created', occurrence),
} as const satisfies EventDefinition<'team'>;
