import { log } from '../log/log.ts';
import { DAY_MS } from '../time.ts';

/** Logs the age of the current key; an alarm reads it and fires when the rotation is overdue. */
export function logKeyAge(kid: string, createdAt: Date | undefined, time: number): void {
  if (!createdAt) return;
  const keyAgeDays = Math.max(0, Math.floor((time - createdAt.getTime()) / DAY_MS));
  log('info', { message: 'The signing key was read', kid, keyAgeDays });
}
