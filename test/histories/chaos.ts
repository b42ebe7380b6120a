import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { COLLISION, DOWN, type Script, THROTTLED } from '../wire/dynamodb-proxy.ts';

/** Of a hundred commands, so many meet a fault of each kind. */
const PER_HUNDRED = 4;

const SLOW_MS = 400;

/** DynamoDB throttled, failing, slow, and out of reach before and after a command takes effect; by chance. */
export function randomFaults() {
  const counts: Record<string, number> = {};
  const kinds = ['throttled', 'failing', 'slow', 'reset', 'lose', 'conflict'] as const;
  const script: Script = async (operation) => {
    const kind = kinds[Math.floor(randomInt(100) / PER_HUNDRED)];
    if (!kind || (kind === 'conflict' && operation !== 'TransactWriteItems')) return undefined;
    counts[kind] = (counts[kind] ?? 0) + 1;
    switch (kind) {
      case 'throttled':
        return THROTTLED;
      case 'failing':
        return DOWN;
      case 'conflict':
        return COLLISION;
      case 'slow':
        await sleep(SLOW_MS);
        return undefined;
      default:
        return kind;
    }
  };
  return { script, counts };
}
