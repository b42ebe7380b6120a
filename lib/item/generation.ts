/** Where random bytes come from. */
export interface Chance {
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * The step from a generation of tokens or codes to the next one, from 1 to 2^32. It is random: whoever may write the number
 * of an account may write an ended generation back, and a step of 1 from a lower one would reach it again. An account can
 * take 2^21 steps before its number is no longer exact.
 */
export const generationStep = ({ random }: Chance): number => 1 + Buffer.from(random(4)).readUInt32BE();
