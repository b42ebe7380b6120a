import { randomInt } from 'node:crypto';

/**
 * The step from a generation of tokens or codes to the next one. It is random: whoever may write the number of an account may
 * write an ended generation back, and a step of 1 from a lower one would reach it again. An account can take 2^21 steps
 * before its number is no longer exact.
 */
export const generationStep = (): number => randomInt(1, 2 ** 32);
