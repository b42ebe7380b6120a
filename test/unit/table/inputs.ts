import type { Fault, Script } from '../../wire/dynamodb-proxy.ts';

/** The same fault for the first commands, of one operation if it is named, by default for all; later ones pass. */
export function failing(fault: Fault, commands = Number.POSITIVE_INFINITY, only?: string): Script {
  let left = commands;
  return (operation) => ((only ?? operation) === operation && left-- > 0 ? fault : undefined);
}

/** Holds the commands of an operation until so many are in flight; when fewer run in parallel, they wait without end. */
export function together(commands: number, operation: string): Script {
  const met = Promise.withResolvers<undefined>();
  let sent = 0;
  return (its) => {
    if (its !== operation) return undefined;
    if (++sent === commands) met.resolve(undefined);
    return met.promise;
  };
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
