import type { Contract } from '#lib/contract/contract';
import { FAILURES, type FailureCode } from '#lib/failure';
import { type Route, routesOf } from '#lib/routes';

/** Every code that an endpoint can refuse with, in the order of the catalogue. */
export function failuresOf(contract: Contract): FailureCode[] {
  const { access, body, accounts, unsafe, failures = [] } = contract;
  const isAuthenticated = access !== 'public';
  const changes = unsafe === true || routesOf(contract).some(({ method }) => method !== 'GET');
  const follows = new Set<FailureCode>([
    ...failures,
    // Of a parameter that nobody knows, and of a body where none is taken, as well.
    'invalid_request',
    ...(isAuthenticated ? (['unauthenticated'] as const) : []),
    // Of a page of another site, where the credential is the cookie, as well.
    ...(typeof access === 'object' || (isAuthenticated && changes) ? (['forbidden'] as const) : []),
    ...(accounts ? (['account_not_found'] as const) : []),
    ...(body ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    'internal',
    'unavailable',
  ]);
  return (Object.keys(FAILURES) as FailureCode[]).filter((code) => follows.has(code));
}

/** The statuses of a route that the gateway answers by itself: for an empty parameter, a body above 10 MB, and all else. */
export const gatewayStatusesOf = ({ path, contract }: Route): number[] => [
  ...(path.includes('{') ? [404] : []),
  ...(contract.body ? [413] : []),
  ...[429, 500, 503],
];
