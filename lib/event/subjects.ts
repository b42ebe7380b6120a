import type * as z from 'zod/mini';
import type { Account } from '../item/account.ts';
import type { Team } from '../item/team.ts';
import { amount, text, texts, uuid } from './fields.ts';

/** The kinds of subjects of events. */
export interface Subjects {
  readonly account: Account;
  readonly team: Team;
}

export type SubjectName = keyof Subjects;

/** The fields that describe a subject, in every event about one. */
export const SUBJECT_FIELDS = {
  account: () => ({
    app: text('Application context of the account'),
    apps: texts('All applications of the account'),
    username: text('Username in its original case; unique regardless of case'),
    userid: uuid('Account ID; never changes'),
    transition: amount(
      'Number that grows with every change of state, roles, teams or applications. Ignore `user_*` events whose number is not above the highest one that you have processed.',
    ),
  }),
  team: () => ({
    team_id: uuid('Team ID; never changes'),
    team_short: text('Short name, unique among teams regardless of case'),
    team_name: text('Full name of the team'),
    team_type: text('Type of the team'),
  }),
} as const satisfies Readonly<Record<SubjectName, () => z.core.$ZodShape>>;

interface Description<Subject> {
  /** Application of the business object hook. */
  readonly app: (subject: Subject) => string;
  /** The values of the fields of {@link SUBJECT_FIELDS}. */
  readonly detail: (subject: Subject) => object;
  /** Attributes that change whenever the values do. */
  readonly expected: (subject: Subject) => object;
}

const described = ({ team_id, team_short, team_name, team_type }: Team) => ({
  team_id,
  team_short,
  team_name,
  team_type,
});

/** How events describe their subjects. */
export const SUBJECTS: { readonly [Name in SubjectName]: Description<Subjects[Name]> } = {
  account: {
    app: ({ user_app_name }) => user_app_name,
    detail: ({ user_app_name, apps, username, id, transitions = 0 }) => ({
      app: user_app_name,
      apps: [...apps],
      username,
      userid: id,
      transition: transitions,
    }),
    // The number of transitions represents the roles, teams and applications, which change with it.
    expected: ({ user_app_name, transitions }) => ({ user_app_name, transitions }),
  },
  team: { app: () => 'core', detail: described, expected: described },
};
