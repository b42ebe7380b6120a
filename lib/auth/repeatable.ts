import type { GatewayEvent } from '../contract/gateway-event.ts';
import type { Actor } from '../event/account-event.ts';
import type { Repeatable } from '../idempotency/seal.ts';
import type { Runtime } from '../runtime.ts';
import { credentialOf } from './credential.ts';

type Headers = { readonly 'idempotency-key'?: string | undefined };

/** Identity of a request that may be repeated; undefined without an `Idempotency-Key`. */
export function repeatableOf(
  {
    actor,
    headers,
    event,
  }: { readonly actor: Actor; readonly headers: Headers; readonly event: GatewayEvent },
  { settings }: Runtime,
): Repeatable | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  return { key, by: actor.by, credential: credentialOf(event, settings.AllowQueryToken).value };
}
