import type { Contract } from '#lib/contract/contract';
import { FAILURES, type FailureCode } from '#lib/failure/codes';
import { type Route, routesOf } from '#lib/routes';
import texts from './texts/failures.json' with { type: 'json' };

/** The meaning of each code, and a remedy. */
export const CODES: Readonly<Record<FailureCode, { readonly means: string; readonly remedy: string }>> =
  texts;

/** Every failure code of an endpoint, in the order of the catalogue. */
export function failuresOf(contract: Contract): FailureCode[] {
  const { access, body, accounts, stepUp, unsafe, failures = [] } = contract;
  const isAuthenticated = access !== 'public';
  const changes = unsafe === true || routesOf(contract).some(({ method }) => method !== 'GET');
  const follows = new Set<FailureCode>([
    ...failures,
    // Also for an unknown parameter, and for a body that the endpoint does not accept.
    'invalid_request',
    ...(isAuthenticated ? (['unauthenticated'] as const) : []),
    // Also for a page of another site that sends the cookie.
    ...(typeof access === 'object' || (isAuthenticated && changes) ? (['forbidden'] as const) : []),
    ...(stepUp ? (['step_up_required'] as const) : []),
    ...(accounts ? (['account_not_found'] as const) : []),
    ...(body ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    'internal',
    'unavailable',
  ]);
  return (Object.keys(FAILURES) as FailureCode[]).filter((code) => follows.has(code));
}

/** The statuses of the gateway's own answers: for an empty parameter, for a body above 10 MB, and for every route. */
export const gatewayStatusesOf = ({ path, contract }: Route): number[] => [
  ...(path.includes('{') ? [404] : []),
  ...(contract.body ? [413] : []),
  ...[429, 500, 503],
];
