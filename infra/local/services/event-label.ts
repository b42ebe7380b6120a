import type { DeliveredEvent } from './put-events.ts';

/** What an event is called in a line for people: `user_cancel  <detail.id>  <detail.username>` */
export function labelOf({ id, detail, 'detail-type': type }: DeliveredEvent): string {
  const { id: own = id, username = '' } = detail as { readonly id?: unknown; readonly username?: unknown };
  return [type, own, username]
    .join('  ')
    .replaceAll(/\p{Cc}/gu, '?')
    .trim();
}
