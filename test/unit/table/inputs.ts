import type { Fault, Script } from '../../wire/dynamodb-proxy.ts';

type Input = Readonly<Record<string, unknown>>;

/** Collects what every command from now on asks for, while a script decides what becomes of it. */
export function inputsOver(wire: { script(next: Script): void }, script: Script = () => undefined): Input[] {
  const inputs: Input[] = [];
  wire.script((operation, input) => {
    inputs.push(input);
    return script(operation, input);
  });
  return inputs;
}

/** The same fault for the first commands, all of them unless told; what follows passes. */
export function failing(fault: Fault, commands = Number.POSITIVE_INFINITY): Script {
  let left = commands;
  return () => (left-- > 0 ? fault : undefined);
}

/** The engine does what it is asked, and something else is said of it. */
export const answering = (answer: (body: Record<string, unknown>) => object): Script => {
  return (_operation, input) => ({ input, answer });
};

/** DynamoDB ends a page after so many items, as it does at 1 MB. */
export const endingPages =
  (Limit: number): Script =>
  (operation, input) =>
    operation === 'Query' ? { input: { ...input, Limit }, answer: (body) => body } : undefined;
