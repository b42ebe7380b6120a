import { mock } from 'node:test';
import { HOUR_MS } from '#lib/time';
import { NOON } from '../unit/support/items.ts';

/** Every search begins at this time; its clock stands still except for the moves that pass time. */
export const START = NOON;

/** Time of a theft: sessions of the people's first day have ended. */
export const THEFT_AT = START + 25 * HOUR_MS;

mock.timers.enable({ apis: ['Date'], now: START });

/** Sets the clock of this process: of the rules, the commands and their logs. */
export const setClock = (time: number) => mock.timers.setTime(time);
