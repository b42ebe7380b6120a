import { hostname } from 'node:os';
import type { Command } from 'commander';
import type { AuditDetails, AuditEntry, Subject } from '#lib/item/audit-entry';
import { patiently } from '#lib/table/bulk';
import { argumentsOf, loggedSubject, nameOf, subjectOf } from './audit-trail.ts';
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
