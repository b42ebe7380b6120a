import type * as z from 'zod/mini';
import type { EventType } from '../instance/settings.ts';
import type { OutboxEvent } from '../item/outbox-event.ts';
import { SUBJECTS, type SubjectName, type Subjects } from './subjects.ts';

/** The originator of a change. */
export interface Actor {
  /** A username, or `operator:` and the user of the operating system. */
  readonly by: string;
  /** ID of the request or of the command. */
  readonly requestId: string;
}

/** One change of a subject: what the envelope of its event reports. */
export interface Occurrence extends Actor {
  /** Event ID: a UUID of version 7. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A type of event, and the fields of its detail that other types do not have. */
export interface EventDefinition<Name extends SubjectName = SubjectName, Facts = unknown> {
  /** `detail-type`, the end of the business object hook, and the name of the constant that defines the event. */
  readonly type: EventType;
  /** Version of the detail: added fields keep it, every other change needs a new one. */
  readonly version: string;
  readonly subject: Name;
  readonly summary: string;
  /** Schemas of its own fields, in the order of {@link detail}. */
  readonly own: () => z.core.$ZodShape;
  /** @param subject after the change */
  detail(subject: Subjects[Name], occurrence: Occurrence, facts: Facts): object;
  /** Further attributes of the subject that its own fields report. */
  expected?(subject: Subjects[Name]): object;
  /** Facts for an example, where there are any. */
  readonly sample?: Facts;
}

/** The attributes of the subject that an event reports: a condition of the transaction that commits it. */
export const expectedBy = <Name extends SubjectName>(
  definition: EventDefinition<Name>,
  subject: Subjects[Name],
): object => ({
  ...SUBJECTS[definition.subject].expected(subject, definition.type),
  ...definition.expected?.(subject),
});

/** The attributes of the subject that count its events, after more of them. */
export const countedBy = <Name extends SubjectName>(
  { subject: name, type }: EventDefinition<Name>,
  subject: Subjects[Name],
  events: number,
): object => SUBJECTS[name].counted(subject, type, events);

/**
 * Builds the event of an occurrence: its envelope, its subject, and its own fields.
 *
 * @param earlier number of events of this type that the same transaction commits before it
 */
export function eventOf<Name extends SubjectName, Facts>(
  definition: EventDefinition<Name, Facts>,
  subject: Subjects[Name],
  occurrence: Occurrence,
  facts: Facts,
  earlier = 0,
): OutboxEvent {
  const { type, version } = definition;
  const { id, at, requestId } = occurrence;
  const { app, detail } = SUBJECTS[definition.subject];
  return {
    id,
    detailType: type,
    createdAt: at,
    detail: {
      version,
      id,
      hook: `[${app(subject)}].[${type}]`,
      ...detail(subject, type, earlier),
      ...definition.detail(subject, occurrence, facts),
      requestID: requestId,
    },
  };
}
