import type { CodeWithFacts, FailureFacts } from '#lib/failure/codes';

/** A member of `data`: what it is, after “Only with <code>: ”, and an example, whose type is that of the schema. */
interface Fact<Value> {
  readonly description: string;
  readonly example: Value;
}

/** The further members of `data`, of each code that has any. */
const FACTS: {
  readonly [Code in CodeWithFacts]: {
    readonly [Name in keyof FailureFacts[Code]]: Fact<FailureFacts[Code][Name]>;
  };
} = {
  account_cancelled_recently: {
    erasable_from: {
      description: 'time from which on the account can be erased (UTC, ends in `Z`)',
      example: '2026-11-27T05:30:00.123Z',
    },
  },
  team_in_use: {
    members: { description: 'number of accounts that are members of the team', example: 3 },
  },
};

/** The members with their codes. */
export const ALL_FACTS = Object.entries(FACTS).flatMap(([code, facts]) =>
  Object.entries<Fact<string | number>>(facts).map(([name, fact]) => ({ code, name, ...fact })),
);
