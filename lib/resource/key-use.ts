import type { KeyUse } from '../session/key-use.ts';
import { RESOURCE_LEAD_MS } from '../session/lead.ts';
import { allResourceKeys, resourceKeyItemKey } from '../table/keys.ts';
import { MAX_RESOURCE_MINUTES } from './resources.ts';

/** Keys of tokens for other services. Gateways may cache them for hours, so that a successor is always published. */
export const RESOURCE_KEYS: KeyUse = {
  signs: 'resources',
  algorithm: 'RS256',
  all: allResourceKeys,
  itemKey: resourceKeyItemKey,
  maxAgeSeconds: MAX_RESOURCE_MINUTES * 60,
  leadMs: RESOURCE_LEAD_MS,
  hasSuccessor: true,
};
