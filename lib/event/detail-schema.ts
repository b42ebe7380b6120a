import * as z from 'zod/mini';
import type { EventDefinition } from './event.ts';
import { text, uuid } from './fields.ts';
import { SUBJECT_FIELDS } from './subjects.ts';

/** The detail of an event, all of it: an object to which fields may be added. No function imports it. */
export const detailSchema = ({ type, version, subject, own }: EventDefinition) =>
  z.extend(
    z.object({
      version: z
        .literal(version)
        .check(
          z.describe('Schema version. Within a version, fields may be added but never changed or removed.'),
        ),
      id: uuid('Event ID; the same in every delivery of the event'),
      hook: z
        .string()
        .check(z.regex(new RegExp(`^\\[.*\\]\\.\\[${type}\\]$`)), z.describe('Business object hook')),
    }),
    { ...SUBJECT_FIELDS[subject](), ...own(), requestID: text('ID of the request, as in its log lines') },
  );
