import { type Chance, generationStep } from '../item/generation.ts';

interface Change {
  readonly UpdateExpression?: string | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * An update of an account that also ends every one-time code that this account has made: it adds a step to the account's
 * `code_generation`. An addition needs no condition and reaches no earlier number, so a dead code stays dead.
 */
export const endingCodes = <Update extends Change>(update: Update, chance: Chance) => ({
  ...update,
  UpdateExpression: `${update.UpdateExpression} ADD code_generation :code_more`,
  ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':code_more': generationStep(chance) },
});
