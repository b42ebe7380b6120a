import type { EventPattern } from 'aws-cdk-lib/aws-events';
import { EVENT_SOURCE } from '#lib/item/outbox-event';
import type { EventType } from '#lib/settings';

/** The pattern of a rule for some events, of accounts that have one of some applications where any are named. */
export const patternOf = (events: readonly EventType[], apps: readonly string[] = []): EventPattern => ({
  source: [EVENT_SOURCE],
  detailType: [...events],
  ...(apps.length > 0 ? { detail: { apps: [...apps] } } : {}),
});
