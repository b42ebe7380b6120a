import type { Fault, Script } from '../../wire/dynamodb-proxy.ts';

/** The same fault for the first commands, of one operation if it is named, by default for all; later ones pass. */
export function failing(fault: Fault, commands = Number.POSITIVE_INFINITY, only?: string): Script {
  let left = commands;
  return (operation) => ((only ?? operation) === operation && left-- > 0 ? fault : undefined);
}

/** Passes the command to the engine, but replaces its answer. */
export const answering = (answer: (body: Record<string, unknown>) => object): Script => {
  return (_operation, input) => ({ input, answer });
};

/** DynamoDB ends a page after so many items, as it does at 1 MB. */
export const endingPages =
  (Limit: number): Script =>
  (operation, input) =>
    operation === 'Query' ? { input: { ...input, Limit }, answer: (body) => body } : undefined;
