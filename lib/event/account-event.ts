import * as z from 'zod/mini';
import type { Account } from '../item/account.ts';
import type { OutboxEvent } from '../item/outbox-event.ts';
import type { EventType } from '../settings.ts';

/** The originator of a change. */
export interface Actor {
  /** A username, or `operator:` and the user of the operating system. */
  readonly by: string;
  /** ID of the request or of the command. */
  readonly requestId: string;
}

/** One change of an account, as every event describes it. */
export interface Change extends Actor {
  /** Event ID: a UUID of version 7. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A kind of event, and the fields of its detail that other kinds do not have. */
export interface AccountEvent<Facts = unknown> {
  /** `detail-type`, and the name of the business object hook. */
  readonly type: EventType;
  /** Version of the detail: added fields keep it, every other change needs a new one. */
  readonly version: string;
  readonly summary: string;
  /** Whether it reports tokens of the account: the transaction fails if their number has changed since it was read. */
  readonly reportsTokens?: true;
  readonly own: () => z.core.$ZodShape;
  /** @param account after the change */
  detail(account: Account, change: Change, facts: Facts): object;
  /** Facts for an example, where there are any. */
  readonly sample?: Facts;
}

/** A string with a description for subscribers. */
export const text = (about: string) => z.string().check(z.describe(about));
export const texts = (about: string) => z.array(z.string()).check(z.describe(about));
/** A whole number that is not negative. */
export const amount = (about: string) => z.int().check(z.nonnegative(), z.describe(about));
export const time = (about: string) => z.iso.datetime().check(z.describe(`${about}; UTC, ends in Z`));
export const uuid = (about: string) => z.uuid().check(z.describe(about));

/** When and by whom an account or token was changed: `cancelled_at` and `cancelled_by` for `cancelled`. */
export const changed = (name: string, when: string, actor = 'Username') => ({
  [`${name}_at`]: time(when),
  [`${name}_by`]: text(`${actor}, or \`operator:<user>\` for a command`),
});
/** The values of the fields of {@link changed}. */
export const changeOf = (name: string, { at, by }: Change) => ({
  [`${name}_at`]: new Date(at).toISOString(),
  [`${name}_by`]: by,
});

export const memberships = () => ({
  teams: z
    .array(
      z.object({
        team_id: uuid('Team ID; never changes'),
        team_short: text('Short name, unique among teams'),
      }),
    )
    .check(z.describe('Teams of the account')),
  roles: texts('Roles of the account'),
});

/** Teams and roles of an account, as events report them. */
export const membershipsOf = ({ teams, roles }: Account) => ({
  teams: teams.map(({ team_id, team_short }) => ({ team_id, team_short })),
  roles: [...roles],
});

/** The detail of an event, all of it: an object to which fields may be added. */
export const detailSchema = ({ type, version, own }: AccountEvent) =>
  z.extend(
    z.object({
      version: z
        .literal(version)
        .check(
          z.describe('Schema version. Within a version, fields may be added but never changed or removed.'),
        ),
      id: uuid('Event ID; the same in every delivery of the event'),
      hook: z
        .string()
        .check(z.regex(new RegExp(`^\\[.*\\]\\.\\[${type}\\]$`)), z.describe('Business object hook')),
      app: text('Application context of the account'),
      apps: texts('All applications of the account'),
      username: text('Username in its original case; unique regardless of case'),
      userid: uuid('Account ID; never changes'),
      transition: amount(
        'Number that grows with every change of state, roles, teams or applications. Ignore `user_*` events whose number is not above the highest one that you have processed.',
      ),
    }),
    { ...own(), requestID: text('ID of the request, as in its log lines') },
  );

/**
 * The fields of the account that an event contains: a condition of the transaction that commits it. The number of
 * transitions represents the roles, teams and applications, which change with it.
 */
export const usedBy = (
  { reportsTokens }: AccountEvent,
  { user_app_name, transitions, token_count, token_ends }: Account,
) => ({ user_app_name, transitions, ...(reportsTokens ? { token_count, token_ends } : {}) });

/** Builds the event of one change, with the fields that all events share. */
export function accountEvent<Facts>(
  { type, version, detail }: Pick<AccountEvent<Facts>, 'type' | 'version' | 'detail'>,
  account: Account,
  change: Change,
  facts: Facts,
): OutboxEvent {
  const { id, at, requestId } = change;
  const app = account.user_app_name;
  return {
    id,
    detailType: type,
    createdAt: at,
    detail: {
      version,
      id,
      hook: `[${app}].[${type}]`,
      app,
      apps: [...account.apps],
      username: account.username,
      userid: account.id,
      transition: account.transitions ?? 0,
      ...detail(account, change, facts),
      requestID: requestId,
    },
  };
}
