import type { GatewayEvent } from '../contract/gateway-event.ts';
import type { Actor } from '../event/account-event.ts';
import type { Repeatable } from '../idempotency/seal.ts';
import type { Runtime } from '../runtime.ts';
import { credentialOf } from './credential.ts';

/** A validated request of an operation that may be repeated. */
interface Requested {
  readonly actor: Actor;
  readonly headers: { readonly 'idempotency-key'?: string | undefined };
  readonly event: GatewayEvent;
}

/** Identity of a request that may be repeated; undefined without an `Idempotency-Key`. */
export function repeatableOf(
  { actor: { by }, headers: { 'idempotency-key': key }, event }: Requested,
  { settings }: Runtime,
): Repeatable | undefined {
  if (key === undefined) return undefined;
  return { key, by, credential: credentialOf(event, settings.AllowQueryToken).value };
}
