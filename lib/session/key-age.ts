import { log } from '../log/log.ts';
import { DAY_MS } from '../time.ts';

/** Tells how old the key is that signs: an alarm is raised from it where its rotation is overdue. */
export function tellKeyAge(kid: string, createdAt: Date | undefined, time: number): void {
  if (!createdAt) return;
  const keyAgeDays = Math.max(0, Math.floor((time - createdAt.getTime()) / DAY_MS));
  log('info', { message: 'The signing key was read', kid, keyAgeDays });
}
