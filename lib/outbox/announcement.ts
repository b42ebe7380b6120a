import {
  type Actor,
  countedBy,
  type EventDefinition,
  eventOf,
  expectedBy,
  type Occurrence,
} from '../event/event.ts';
import type { SubjectName, Subjects } from '../event/subjects.ts';
import { ALWAYS } from '../instance/settings.ts';
import type { Account } from '../item/account.ts';
import type { OutboxEvent } from '../item/outbox-event.ts';
import type { Runtime } from '../runtime.ts';
import type { Publish } from './publisher.ts';

/** Runtime of rules whose changes are published. */
export type Announcing = Runtime & { readonly publish: Publish };

/** The publisher and the actor of changes that are published only for some callers of a rule. */
export interface Announcer {
  readonly publish: Publish;
  readonly actor: Actor;
}

/** The event of a change, to be created for its subject as it is written, if the instance publishes this type of event. */
export interface Announcement<Subject> {
  /** The event, or none, after `earlier` events of its type in the same transaction. */
  readonly events: (subject: Subject, earlier?: number) => readonly OutboxEvent[];
  /** Attributes that the event reports, so they must be as they were read. */
  readonly expected: (subject: Subject) => object;
  /**
   * Attributes that the transaction writes, so that the next event has the next number: for the subject as it was read, and
   * by default for one event.
   */
  readonly counted: (subject: Subject, events?: number) => object;
}

/** A change of an account that another one carries out in its write, with its events. */
export interface AccountChange {
  /** New attributes; undefined removes an attribute. */
  readonly to: object;
  /** Attributes that the events count in. */
  readonly counted: object;
  /** Attributes that must be as they were read. */
  readonly expected: object;
  readonly events: (after: Account) => readonly OutboxEvent[];
}

const SILENCE: Announcement<unknown> = { events: () => [], expected: () => ({}), counted: () => ({}) };

/** A change that an actor makes now, with an ID of its own, which its event has too. */
export const occurrenceBy = (
  { now, uuid }: Pick<Runtime, 'now' | 'uuid'>,
  { by, requestId }: Actor,
): Occurrence => ({ id: uuid(), at: now(), by, requestId });

/** Announces a change. Its event is stored and published by `commitWithEvents`. */
export function announce<Name extends SubjectName, Facts>(
  { settings }: Pick<Runtime, 'settings'>,
  definition: EventDefinition<Name, Facts>,
  occurrence: Occurrence,
  facts: Facts,
): Announcement<Subjects[Name]> {
  if (![...ALWAYS, ...settings.Events].includes(definition.type)) return SILENCE;
  return {
    events: (subject, earlier) => [eventOf(definition, subject, occurrence, facts, earlier)],
    expected: (subject) => expectedBy(definition, subject),
    counted: (subject, events = 1) => countedBy(definition, subject, events),
  };
}
