import { endpoint } from '#lib/function/endpoint';
import { createLogin } from '#lib/token/contracts';
import { createLoginToken } from '#lib/token/create';

/**
 * Makes the caller's token named `logintoken`, or replaces it: the one before is refused from then on.
 *
 * One read and one transaction after authentication.
 */
export const handler = endpoint(createLogin, ({ caller }, runtime) => createLoginToken(runtime, caller));
