/** Maximum of trusts of a machine. */
export const MAX_TRUSTS = 20;

/** Maximum of values that a trust expects in claims. */
export const MAX_CLAIMS = 16;

/** Maximum of levels of objects in claims: Kubernetes has its service account two levels below `kubernetes.io`. */
export const MAX_LEVELS = 2;

/** Maximum length of a subject, and of a text in claims: an ARN of AWS has up to 2,048 characters. */
export const MAX_TEXT = 2048;

/** Longest lifetime of the sessions of a trust in minutes, and the one by default. */
export const MAX_MINUTES = 60;
export const MINUTES = 15;
