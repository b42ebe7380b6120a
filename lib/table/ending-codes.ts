interface Change {
  readonly UpdateExpression?: string | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * An update of an account that also ends every one-time code that this account has made: it increments the account's
 * `code_generation`. An increment needs no condition and never returns to an earlier number, so a dead code stays dead.
 */
export const endingCodes = <Update extends Change>(update: Update) => ({
  ...update,
  UpdateExpression: `${update.UpdateExpression} ADD code_generation :code_more`,
  ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':code_more': 1 },
});
