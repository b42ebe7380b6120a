import { isApiToken } from '../text/api-token-form.ts';
import { isUnlikeReference, SHOWN_CODE } from '../text/code-form.ts';

/** Patterns of credentials and their parts in logs: API tokens, JWTs, one-time codes, password hashes, private keys, values of the Authorization header. */
const CREDENTIALS = [
  /\bcst_[0-9A-Za-z]+/g,
  /\beyJ[\w-]*(?:\.[\w-]*)*/g,
  // As they are shown. Digits only are rather the number of a ticket.
  /(?<![\w-])(?=[\d-]*[A-Z])[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){2}(?![\w-])/g,
  /\$2[aby]\$\d\d\$[./0-9A-Za-z]*/g,
  /"d"\s*:\s*"[\w-]*"?/g,
  /\b(?:Basic|Bearer|Token)\s+[^\s"',]+/gi,
];

const WHOLE_JWT = String.raw`eyJ[\w-]{16,}\.[\w-]{16,}\.[\w-]{16,}`;

const COMPLETE = new RegExp(`cst_[0-9A-Za-z]{36}|${WHOLE_JWT}`);

/** Whether a text contains a complete API token or session token; a name may begin like one. */
export const hasCredential = (text: string): boolean => COMPLETE.test(text);

/** The same for a name that may be sent in any case. */
export const mayHaveCredential = (name: string): boolean => new RegExp(COMPLETE, 'i').test(name);

const REDACTED = '[redacted]';

/**
 * Replaces credentials in a text: those with the form of one, and the given ones.
 *
 * @param secrets presented passwords; those with fewer than 4 characters stay, since they occur by chance
 */
export const redact = (text: string, secrets: readonly string[] = []): string =>
  [...CREDENTIALS, ...secrets.filter(({ length }) => length > 3)].reduce<string>(
    (before, credential) => before.replaceAll(credential, REDACTED),
    text,
  );

/** What may be an API token; OAuth clients percent-encode its `_`. */
const API_TOKEN = /cst(?:_|%5[Ff])[0-9A-Za-z]{36}/g;
/** What may be the user `api` with an API token in a Basic header. */
const BASIC_PAIR = /YXBpOmNzdF[\w+/-]{49}=?/g;
const JWT = new RegExp(String.raw`(?<![\w-])${WHOLE_JWT}`, 'g');

/**
 * Replaces the credentials of this service in a text that people or their programs have written. Each must have its whole form:
 * in their words, "the token of her laptop" and "Basic training" name no credential. Takes linear time.
 */
export const withoutCredentials = (text: string): string =>
  text
    .replace(API_TOKEN, (found) => (isApiToken(found.replace(/%5f/i, '_')) ? REDACTED : found))
    .replace(BASIC_PAIR, (found) =>
      isApiToken(`${Buffer.from(found, 'base64')}`.slice(4)) ? REDACTED : found,
    )
    .replace(JWT, REDACTED)
    .replace(SHOWN_CODE, (found) => (isUnlikeReference(found) ? REDACTED : found));
