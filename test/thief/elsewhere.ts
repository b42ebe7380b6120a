import { decodeProtectedHeader } from 'jose';
import { ROLES } from '#lib/contract/contract';
import { MAX_RESOURCE_MINUTES } from '#lib/resource/resources';

/** Another service, which takes all roles of this one. */
export const RESOURCE = 'https://other.example.com';

/** `Settings:Resources` of every instance under attack. */
export const RESOURCES = JSON.stringify([
  { audience: RESOURCE, roles: ROLES, minutes: MAX_RESOURCE_MINUTES },
]);

export const isElsewhere = (jwt: string) => decodeProtectedHeader(jwt).alg === 'RS256';
