export const NAMES = {
  instance: 'local',
  table: 'core-account',
  eventBus: 'core-account',
  signingKey: 'signing-key',
  resourceKey: 'resource-key',
  erasureKey: 'erasure-key',
  auditLog: 'audit',
  functionLog: 'functions',
  administrator: 'admin',
  firstToken: 'first-start',
} as const;

/** The AWS account in the ARNs of local resources. */
export const ACCOUNT_ID = '000000000000';

/** The delivered events, in the data directory: one line of JSON each. */
export const EVENTS_FILE = 'events.jsonl';

/** The log of all functions, in the data directory: one line of JSON each. */
export const FUNCTION_LOG_FILE = 'functions.log';

/** The checked audit lines of functions, in the data directory: one line of JSON each. */
export const AUDIT_FILE = 'verified.jsonl';

/** Those of earlier versions, which checked none. */
export const FORMER_AUDIT_FILE = 'audit.jsonl';

/** The audit lines of operator commands, likewise. */
export const OPERATORS_FILE = 'operators.jsonl';
