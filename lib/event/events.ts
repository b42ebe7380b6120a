import { EVENT_TYPES, type EventType } from '../instance/settings.ts';
import type { Account } from '../item/account.ts';
import type { Team } from '../item/team.ts';
import { type EventDefinition, eventOf } from './event.ts';
import * as passkey from './passkey-events.ts';
import type { Subjects } from './subjects.ts';
import * as team from './team-events.ts';
import * as token from './token-events.ts';
import * as trust from './trust-events.ts';
import * as user from './user-events.ts';

/** The definition of every event that the service can publish; no function imports this list. */
export const EVENTS = { ...user, ...token, ...team, ...passkey, ...trust } satisfies {
  readonly [Type in EventType]: EventDefinition & { readonly type: Type };
};

/** The definitions in the order of {@link EVENT_TYPES}. */
export const ALL_EVENTS: readonly EventDefinition[] = EVENT_TYPES.map((type) => EVENTS[type]);

const OPS: Team = {
  team_id: '0199c3ef-11aa-7b02-8f3c-6d2e9a4b7c10',
  team_short: 'OPS',
  team_name: 'Operations',
  team_type: 'internal',
};

/** The attributes of an account that events use. */
const ADA: Partial<Account> = {
  id: '0199c3f0-5a10-7d3e-9c41-2b7c1f6e8a01',
  username: 'ada.lovelace',
  user_app_name: 'core',
  apps: ['core', 'crm'],
  roles: ['sys_tokens'],
  teams: [{ ...OPS, teamuser_lvl: null }],
  token_count: 2,
  transitions: 1,
};

const SAMPLES: Subjects = { account: ADA as Account, erasure: ADA as Account, team: OPS };

const OCCURRENCE = {
  id: '0199c3f0-7e22-7aa4-b1d5-93f0c8d2e6b7',
  at: Date.UTC(2026, 10, 20, 5, 30),
  by: 'admin',
  requestId: 'a1b2c3d4-0000-4000-8000-00000000e5f6',
};

/** An example of the detail, built by the code that builds real ones. */
export const exampleOf = (event: EventDefinition): object =>
  eventOf(event, SAMPLES[event.subject], OCCURRENCE, event.sample).detail as object;
