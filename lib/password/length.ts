/** Bytes that bcrypt reads. */
export const MAX_BYTES = 72;
/** Minimum of bytes of a new password. */
export const MIN_BYTES = 8;
