/** The cost of one usual request of a warm function, by an administrator's session that was used within the minute. */
export interface Budget {
  /** Read and write request units of the table, and commands that follow one another: asserted by tests. */
  readonly reads: number;
  readonly writes: number;
  readonly trips: number;
  /** Run time with the memory of the function, measured on 2026-11-22 on one core of a 2.5 GHz Xeon. */
  readonly ms: number;
  /** Size of an answer above 10 kB. */
  readonly kB?: number;
  /** Published events. */
  readonly events?: number;
}

/** Budgets by endpoint. Tests count them in a directory of 300 accounts; listings answer two entries. */
export const BUDGETS: Readonly<Record<string, Budget>> = {
  'account.browse': { reads: 38, writes: 0, trips: 2, ms: 22 },
  'account.cancel': { reads: 2, writes: 10, trips: 3, ms: 47, events: 1 },
  'account.context': { reads: 1, writes: 1, trips: 2, ms: 21 },
  'account.copy': { reads: 2, writes: 5, trips: 2, ms: 22 },
  'account.lock': { reads: 2, writes: 7, trips: 2, ms: 24 },
  'account.login': { reads: 7, writes: 2, trips: 3, ms: 424 },
  'account.logout': { reads: 1, writes: 2, trips: 2, ms: 20 },
  'account.profile': { reads: 2, writes: 0, trips: 2, ms: 18 },
  'account.profile-update': { reads: 2, writes: 2, trips: 3, ms: 29 },
  'account.reactivate': { reads: 2, writes: 10, trips: 3, ms: 45, events: 1 },
  'account.unlock': { reads: 2, writes: 7, trips: 2, ms: 19 },
  'docs.openapi': { reads: 0, writes: 0, trips: 0, ms: 12, kB: 20 },
  'docs.page': { reads: 0, writes: 0, trips: 0, ms: 1 },
  'docs.script': { reads: 0, writes: 0, trips: 0, ms: 25, kB: 1262 },
  'system.info': { reads: 1, writes: 0, trips: 1, ms: 9 },
  'system.jwks': { reads: 0, writes: 0, trips: 0, ms: 8 },
  'system.ping': { reads: 1, writes: 0, trips: 1, ms: 8 },
  'system.preview': { reads: 1, writes: 0, trips: 1, ms: 16, kB: 22 },
  'system.uuid': { reads: 1, writes: 0, trips: 1, ms: 9 },
  'system.uuids': { reads: 1, writes: 0, trips: 1, ms: 9 },
  'token.browse': { reads: 5, writes: 0, trips: 2, ms: 35 },
  'token.create': { reads: 2, writes: 10, trips: 2, ms: 19 },
  'token.create-login-token': { reads: 2, writes: 10, trips: 3, ms: 27 },
  'token.delete': { reads: 3, writes: 10, trips: 3, ms: 27 },
  'token.list-own': { reads: 2.5, writes: 0, trips: 2, ms: 21 },
  'token.list-user': { reads: 3.5, writes: 0, trips: 2, ms: 21 },
};
