/** Maximum number of passkeys of an account. */
export const MAX_PASSKEYS = 10;
