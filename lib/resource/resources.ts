import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { roleOrAppName } from '../account/identifiers.ts';
import { issuerOf } from '../instance/issuer.ts';
import { faultless, listIn } from '../instance/list-setting.ts';
import type { Settings } from '../instance/settings.ts';

/** Another service, whose tokens it verifies by itself. */
export interface Resource {
  /** `aud` of its tokens, letter for letter. */
  readonly audience: string;
  /** Roles that its tokens may have; by default all but `sys_*`. */
  readonly roles?: readonly string[] | undefined;
  /** Longest lifetime of its tokens. */
  readonly minutes: number;
}

export const MAX_RESOURCES = 100;

/** Maximum lifetime of a token for another service, which nothing ends early. */
export const MAX_RESOURCE_MINUTES = 15;
export const RESOURCE_MINUTES = 5;

/** The names of this API as a resource (RFC 8707): tokens for it are sessions. */
export function ownResources(settings: Pick<Settings, 'Issuer' | 'ApiUrl'>): readonly string[] {
  const issuer = issuerOf(settings);
  return [issuer, `${issuer}/`, `${issuer}/api/core`];
}

/** What is wrong with an audience; undefined if nothing is. */
export function faultOfAudience(text: string): string | undefined {
  if (!URL.canParse(text) || !/^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(text))
    return 'Must be an absolute URI';
  return text.includes('#') ? 'Must not have a fragment' : undefined;
}

const entry = () =>
  z.strictObject({
    audience: z.string().check(faultless(faultOfAudience), z.maxLength(500)),
    roles: z.optional(z.array(roleOrAppName()).check(z.minLength(1), z.maxLength(100))),
    minutes: z._default(z.int().check(z.gte(1), z.lte(MAX_RESOURCE_MINUTES)), RESOURCE_MINUTES),
  });

/**
 * Reads the resources of a setting.
 *
 * @param text a JSON list; empty for none
 * @param own names of this API, which is none of them
 * @throws Error that names each resource with a fault, its member, and what is expected
 */
export const resourcesIn = (text: string, own: readonly string[] = []): readonly Resource[] =>
  listIn(
    {
      name: 'Resources',
      of: 'resources',
      entry: entry() as unknown as z.ZodMiniType<Resource>,
      max: MAX_RESOURCES,
      named: 'audience',
      faultsBetween: (entries) =>
        entries.flatMap(({ audience }, n) => [
          ...(entries.slice(0, n).some((other) => other.audience === audience)
            ? [[`${n}.audience`, 'Must not be repeated']]
            : []),
          ...(own.includes(audience)
            ? [[`${n}.audience`, 'Must be another service: tokens for this API are sessions']]
            : []),
        ]),
    },
    text,
  );

/** The file beside the code of a function on AWS, where all variables of a function have 4 KB together. */
export const RESOURCES_FILE = 'resources.json';

/** The resources of this instance: those of the setting, otherwise those of the file. */
export function resourcesFromEnvironment({ Resources }: Pick<Settings, 'Resources'>): readonly Resource[] {
  if (Resources !== '') return resourcesIn(Resources);
  const file = join(import.meta.dirname, RESOURCES_FILE);
  return existsSync(file) ? resourcesIn(readFileSync(file, 'utf8')) : [];
}
