/** What credentials look like: API tokens, JWTs, password hashes, private keys, and whatever a header presents. */
const CREDENTIALS = [
  /\bcst_[0-9A-Za-z]+/g,
  /\beyJ[\w-]*(?:\.[\w-]*)*/g,
  /\$2[aby]\$\d\d\$[./0-9A-Za-z]*/g,
  /"d"\s*:\s*"[\w-]*"?/g,
  /\b(?:Basic|Bearer|Token)\s+[^\s"',]+/gi,
];

const REDACTED = '[redacted]';

/**
 * A text without credentials: neither those that look like one nor those that are given.
 *
 * @param secrets what was presented as a password; those below 4 characters are left, since they occur by chance
 */
export const redact = (text: string, secrets: readonly string[] = []): string =>
  [...CREDENTIALS, ...secrets.filter(({ length }) => length > 3)].reduce<string>(
    (before, credential) => before.replaceAll(credential, REDACTED),
    text,
  );
