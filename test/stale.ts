/** Messages of tests that compare a generated file with its sources: the command that generates it again. */
export const STALE = {
  docs: 'A generated part is stale. Run `npm run docs`',
  record: 'The recorded examples are stale. Run `npm run record`',
  evidence: 'The evidence is stale. Run `npm run test:stack -- --evidence`, then `npm run docs`',
} as const;
