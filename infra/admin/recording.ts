import { hostname } from 'node:os';
import type { Command } from 'commander';
import { isUsername } from '#lib/account/identifiers';
import {
  type AuditDetails,
  type AuditEntry,
  logged,
  type Subject,
  tokenSubject,
} from '#lib/item/audit-entry';
import { hasCredential } from '#lib/log/redact';
import { patiently } from '#lib/table/bulk';
import { Refusal } from './refusal.ts';
import type { Target } from './target.ts';

type Result = Pick<AuditEntry, 'outcome' | 'changed'>;
type About = Subject & Pick<AuditEntry, 'details'>;

/** An instance, and the audit entries of the command that works on it. */
export interface Recorded extends Target {
  /** Adds details to the last entry of the command. */
  note(details: AuditDetails): void;
  /** Writes an entry for each changed account or token, by default a success. @throws Refusal `audit_unavailable` */
  record(all: readonly (Subject & Partial<About & Result>)[]): Promise<void>;
}

/** Opens the audit entries of a command: of its start, of each account or token, and of its end. */
export function recording(target: Target, command: Command) {
  const { file, kid, table } = { ...argumentsOf(command), ...command.opts() } as Record<string, string>;
  let details = (file ?? kid ?? table) ? ({ file, kid, table } as AuditDetails) : null;
  const write = async (...all: readonly (Result & About)[]) => {
    const common = { credential: null, action: nameOf(command), source: hostname() };
    const by = { time: new Date().toISOString(), actor: target.operator, requestId: target.actor.requestId };
    await target.audit.write(...all.map((one) => ({ ...by, ...common, ...one })));
  };
  const writeOwn = (result: Result) => write({ ...result, ...subjectOf(command), details });
  const recorded: Recorded = {
    ...target,
    note: (more) => {
      details = { ...details, ...more };
    },
    record: (all) => {
      const entries = all.map((one) => ({ ...SUCCESS, ...one, ...loggedSubject(one) }));
      return patiently(() => write(...entries)).catch(refuse('The command stopped', true));
    },
  };
  return {
    recorded,
    /** @throws Refusal `audit_unavailable` */
    begin: () => writeOwn({ outcome: 'started', changed: null }).catch(refuse('Nothing was changed', false)),
    end: (result: Result) =>
      writeOwn(result).catch(({ message }) =>
        console.error(`The audit log has the start of this command, but not its end: ${message}`),
      ),
  };
}

const SUCCESS = { outcome: 'ok', changed: true, details: null };

const refuse =
  (text: string, changed: boolean) =>
  (error: Error): never => {
    const message = `${text}, as the audit log cannot be written: ${error.message}`;
    throw new Refusal('audit_unavailable', message, { changed });
  };

/** Such as `admin account password`. */
const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

/** The arguments of a command by their names. */
const argumentsOf = ({ registeredArguments, processedArgs }: Command): Record<string, unknown> =>
  Object.fromEntries(registeredArguments.map((argument, index) => [argument.name(), processedArgs[index]]));

/** The account, token, team or key that the arguments of a command name. */
function subjectOf(command: Command): Subject {
  const isName = ([, text]: [string, unknown]) =>
    typeof text === 'string' && isUsername(text) && !hasCredential(text);
  const { username, name, short, kid } = Object.fromEntries(
    Object.entries(argumentsOf(command)).filter(isName),
  ) as Record<string, string | undefined>;
  if (kid !== undefined) return { target: kid };
  const isToken = username !== undefined && name !== undefined;
  return loggedSubject(isToken ? tokenSubject(name, username) : { target: username ?? short ?? null });
}

/** A subject as it is logged; without a target that contains a credential. */
const loggedSubject = (subject: Subject): Subject =>
  hasCredential(subject.target ?? '') ? { ...logged(subject), target: null } : logged(subject);
