import * as z from 'zod/mini';
import { typed } from '../item/fields.ts';
import { mayHaveCredential } from '../log/redact.ts';

const USERNAME = /^[A-Za-z0-9._@+-]{1,128}$/;

/** Whether an account can have this name, by its form. */
export const isUsername = (text: string) => USERNAME.test(text);

/** @param before checks that a fault names rather than the form */
export const username = (...before: z.core.$ZodCheck<string>[]) =>
  typed().check(...before, z.regex(USERNAME, 'Must be 1 to 128 letters, digits or . _ @ + -'));

/**
 * Rules of new names: a credential typed as a name would be stored and listed as one. The audit log omits a name that
 * contains one, so such a name would hide what is done to its account, or with its token.
 */
export const unlikeCredential = () =>
  z.refine(
    (name) => !/^(cst_|eyJ)/.test(String(name)) && !mayHaveCredential(String(name)),
    'Must not begin with cst_ or eyJ, or contain a token',
  );

export const roleOrAppName = () =>
  z
    .string()
    .check(
      z.regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: 'Must be 1 to 64 letters, digits or . _ -', abort: true }),
    );

export const unique = (names: readonly string[]) => [...new Set(names)];

/** Username that clients send with an API token, in Basic authentication and to login. No account can have it. */
export const API_USERNAME = 'api';
