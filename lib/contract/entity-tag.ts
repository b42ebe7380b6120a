import { createHash } from 'node:crypto';

/** What a tag has of a text: 128 bits, enough that no two states are taken for each other. */
export const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Whether `If-Match` or `If-None-Match` names whatever there is (RFC 9110 sections 13.1.1 and 13.1.2). */
export const namesAny = (header: string) => header.trim() === '*';

/** Whether `If-None-Match` names an entity, by weak comparison (RFC 9110 section 13.1.2). */
export const namesWeakly = (header: string, etag: string) =>
  namesAny(header) ||
  header.split(',').some((each) => each.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''));
