import * as z from 'zod/mini';
import type { Account } from '../item/account.ts';
import type { OutboxEvent } from '../item/outbox-event.ts';
import type { EventType } from '../settings.ts';

/** Who makes a change. */
export interface Actor {
  /** A username, or `operator:` and the user of the operating system. */
  readonly by: string;
  /** Of the request, or of the command. */
  readonly requestId: string;
}

/** One change of an account: what every event of it tells. */
export interface Change extends Actor {
  /** Of the event: a UUID of version 7. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What an event may tell of an account besides its identity. */
type Told = 'roles' | 'teams' | 'token_count';

/** A kind of event of accounts, and what is its own of the detail. */
export interface AccountEvent<Own extends z.ZodMiniObject = z.ZodMiniObject, Facts = unknown> {
  /** `detail-type`, and the name of the business object hook. */
  readonly type: EventType;
  /** Of the form of the detail: what is added keeps it, everything else is a new one. */
  readonly version: string;
  readonly summary: string;
  /** What else of the account it tells: it is committed only if that still is so. */
  readonly tells: readonly Told[];
  readonly own: () => Own;
  /** @param account as it is written */
  detail(account: Account, change: Change, facts: Facts): z.output<Own>;
  /** Facts for an example, where there are any. */
  readonly sample?: Facts;
}

/** A text that subscribers read the meaning of. */
export const text = (about: string) => z.string().check(z.describe(about));
export const texts = (about: string) => z.array(z.string()).check(z.describe(about));
/** A whole number that is not negative. */
export const amount = (about: string) => z.int().check(z.nonnegative(), z.describe(about));
export const time = (about: string) => z.iso.datetime().check(z.describe(`${about}; UTC, ends in Z`));
export const uuid = (about: string) => z.uuid().check(z.describe(about));

export const memberships = () => ({
  teams: z
    .array(
      z.object({
        team_id: uuid('Of the team, for ever'),
        team_short: text('Short name, unique among teams'),
      }),
    )
    .check(z.describe('The teams of the account')),
  roles: texts('The roles of the account'),
});

export const membershipsOf = ({ teams, roles }: Account) => ({
  teams: teams.map(({ team_id, team_short }) => ({ team_id, team_short })),
  roles: [...roles],
});

/** The detail of an event, all of it: an object to which fields may be added. */
export const detailSchema = ({ type, version, own }: AccountEvent) =>
  z.extend(
    z.object({
      version: z.literal(version).check(z.describe('Of this form: fields may be added to it, nothing else')),
      id: uuid('Of the event: the same in every delivery of it'),
      hook: z
        .string()
        .check(z.regex(new RegExp(`^\\[.*\\]\\.\\[${type}\\]$`)), z.describe('The business object hook')),
      app: text('The application context of the account'),
      apps: texts('All applications of the account'),
      username: text('As the account was created; unique without regard to case'),
      userid: uuid('Of the account, for ever'),
      transition: amount(
        'Grows with every change of state of the account: drop what is older than you have seen',
      ),
    }),
    { ...own().shape, requestID: text('Of the request, as its log lines have it') },
  );

/** What is told of every account. */
const IDENTITY = ['user_app_name', 'apps'] as const satisfies (keyof Account)[];

/** What of the account an event tells: it is committed only if all of it still is so. */
export const toldBy = ({ tells }: Pick<AccountEvent, 'tells'>, account: Account) =>
  Object.fromEntries([...IDENTITY, ...tells].map((field) => [field, account[field]]));

/** The event of one change, with what all events of accounts have in common. */
export function accountEvent<Facts>(
  { type, version, detail }: Pick<AccountEvent<z.ZodMiniObject, Facts>, 'type' | 'version' | 'detail'>,
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
