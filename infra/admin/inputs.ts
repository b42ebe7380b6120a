/** Inputs of commands that others than their operator may write, and who may. */
export const INPUTS = {
  table: {
    what: 'items of the table',
    writers:
      'functions and operators, each within [its powers](../../lib/auth/powers.md); who restores a table',
  },
  log: {
    what: 'lines of the audit log',
    writers:
      'support and administrators, each in the stream of its policy; `audit.collect`; in earlier versions any function',
  },
  file: { what: 'the file that the command is given', writers: 'whoever made the file' },
  archive: {
    what: 'archived events',
    writers: '`events.relay-outbox`, endpoints that publish, and whoever may put events on the bus',
  },
  service: { what: 'answers of the service and of AWS', writers: 'functions; the deployer' },
} as const satisfies Readonly<Record<string, { readonly what: string; readonly writers: string }>>;

export type InputName = keyof typeof INPUTS;

/** The inputs of a command, each with the worst that a value of somebody else makes happen. */
export type Inputs = Readonly<Partial<Record<InputName, string>>>;
