import * as z from 'zod/mini';

const USERNAME = /^[A-Za-z0-9._@+-]{1,128}$/;

/** Whether an account could have this name. */
export const isUsername = (text: string) => USERNAME.test(text);

/** A username, as the path or a body names it. */
export const username = () =>
  z.string().check(z.regex(USERNAME, 'Must be 1 to 128 letters, digits or . _ @ + -'));

/** Names of roles and of applications. */
export const roleOrAppName = () =>
  z.string().check(z.regex(/^[A-Za-z0-9_.-]{1,64}$/, 'Must be 1 to 64 letters, digits or _ . -'));

/** The name under which API tokens are presented: to Basic authentication, and to login. No account has it. */
export const API_USERNAME = 'api';
