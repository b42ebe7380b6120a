import * as z from 'zod/mini';

/** A string with a description for subscribers. */
export const text = (about: string) => z.string().check(z.describe(about));
export const texts = (about: string) => z.array(z.string()).check(z.describe(about));
/** A whole number that is not negative. */
export const amount = (about: string) => z.int().check(z.nonnegative(), z.describe(about));
/** A whole number from 1 on; events of earlier versions lack it. */
export const ordinal = (about: string) => z.optional(z.int().check(z.gte(1), z.describe(about)));
export const time = (about: string) => z.iso.datetime().check(z.describe(`${about}; UTC, ends in Z`));
export const uuid = (about: string) => z.uuid().check(z.describe(about));

/** Description of an actor whom the endpoint requires to be an administrator. */
export const ADMINISTRATOR = 'Username of the administrator';

/** When and by whom a subject was changed: `cancelled_at` and `cancelled_by` for `cancelled`. */
export const changed = (name: string, when: string, actor = 'Username') => ({
  [`${name}_at`]: time(when),
  [`${name}_by`]: text(`${actor}, or \`operator:<user>\` for a command`),
});
/** The values of the fields of {@link changed}. */
export const changeOf = (name: string, { at, by }: { readonly at: number; readonly by: string }) => ({
  [`${name}_at`]: new Date(at).toISOString(),
  [`${name}_by`]: by,
});
