import * as z from 'zod/mini';
import type { EventType } from '../instance/settings.ts';
import type { Account } from '../item/account.ts';
import { type Sequences, sequenceOf } from '../item/sequence.ts';
import type { StoredTeam } from '../item/team.ts';
import { amount, ordinal, text, texts, uuid } from './fields.ts';

/** The kinds of subjects of events. */
export interface Subjects {
  readonly account: Account;
  /** An account whose event must not name it. */
  readonly erasure: Account;
  readonly team: StoredTeam;
}

export type SubjectName = keyof Subjects;

/** Fields of an account that name nobody. */
const nameless = () => ({
  userid: uuid('Account ID; never changes'),
  transition: amount(
    'Number that grows with every change of state, roles, teams or applications. Ignore `user_*` events whose number is not above the highest one that you have processed.',
  ),
  sequence: ordinal(
    'Number among the published events of this type about the account: 1, 2, 3 and so on, without a gap. Absent from events of earlier versions.',
  ),
});

const inApps = () => ({
  app: text('Application context of the account'),
  apps: texts('All applications of the account'),
});

/** The fields that describe a subject, in every event about one. */
export const SUBJECT_FIELDS = {
  account: () => ({
    ...inApps(),
    username: text('Username in its original case; unique regardless of case'),
    ...nameless(),
  }),
  erasure: () => ({ ...inApps(), ...nameless() }),
  team: () => ({
    team_id: uuid('Team ID; never changes'),
    team_short: text('Short name, unique among teams regardless of case'),
    team_name: text('Full name of the team'),
    team_type: text('Type of the team'),
    transition: z.optional(
      amount(
        'Number that grows with every change of the team. Ignore `team_*` events whose number is not above the highest one that you have processed. Absent from events of earlier versions.',
      ),
    ),
    sequence: ordinal(
      'Number among the published events of this type about the team: 1, 2, 3 and so on, without a gap. Absent from events of earlier versions.',
    ),
  }),
} as const satisfies Readonly<Record<SubjectName, () => z.core.$ZodShape>>;

interface Description<Subject> {
  /** Application of the business object hook. */
  readonly app: (subject: Subject) => string;
  /** The values of the fields of {@link SUBJECT_FIELDS}. */
  readonly detail: (subject: Subject, type: EventType, earlier: number) => object;
  /** Attributes that change whenever the values do. */
  readonly expected: (subject: Subject, type: EventType) => object;
  /** New attributes that count further events of a type. */
  readonly counted: (subject: Subject, type: EventType, events: number) => object;
}

const published = (subject: Sequences, type: EventType) => subject[sequenceOf(type)] ?? 0;

const counted = (subject: Sequences, type: EventType, events: number) => ({
  [sequenceOf(type)]: published(subject, type) + events,
});

const OF_ACCOUNT: Description<Account> = {
  app: ({ user_app_name }) => user_app_name,
  detail: (account, type, earlier) => ({
    app: account.user_app_name,
    apps: [...account.apps],
    username: account.username,
    userid: account.id,
    transition: account.transitions ?? 0,
    sequence: published(account, type) + earlier + 1,
  }),
  // The number of transitions represents the roles, teams and applications, which change with it.
  expected: (account, type) => ({
    user_app_name: account.user_app_name,
    transitions: account.transitions,
    [sequenceOf(type)]: account[sequenceOf(type)],
  }),
  counted,
};

const OF_TEAM: Description<StoredTeam> = {
  app: () => 'core',
  detail: ({ team_id, team_short, team_name, team_type, transitions = 0, ...team }, type, earlier) => ({
    team_id,
    team_short,
    team_name,
    team_type,
    transition: transitions,
    sequence: published(team, type) + earlier + 1,
  }),
  // The short name and the type never change, and with the name the number of transitions does.
  expected: (team, type) => ({
    team_id: team.team_id,
    transitions: team.transitions,
    [sequenceOf(type)]: team[sequenceOf(type)],
  }),
  counted,
};

/** How events describe their subjects. */
export const SUBJECTS: { readonly [Name in SubjectName]: Description<Subjects[Name]> } = {
  account: OF_ACCOUNT,
  erasure: {
    ...OF_ACCOUNT,
    detail: (account, type, earlier) => {
      const { username: _, ...detail } = OF_ACCOUNT.detail(account, type, earlier) as { username: string };
      return detail;
    },
  },
  team: OF_TEAM,
};
