import { createHash } from 'node:crypto';

/** Digest of a text for an entity tag: 128 bits, enough to distinguish all states. */
export const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Whether `If-Match` or `If-None-Match` is `*` (RFC 9110 sections 13.1.1 and 13.1.2). */
export const namesAny = (header: string) => header.trim() === '*';

/** Whether `If-None-Match` contains a tag, by weak comparison (RFC 9110 section 13.1.2). @param tag without `W/` */
export const namesWeakly = (header = '', tag: string) =>
  namesAny(header) || header.split(',').some((each) => each.trim().replace('W/', '') === tag);
