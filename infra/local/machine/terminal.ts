// A terminal that was closed does not stop the instance.
process.stderr.on('error', () => undefined);

/** Prints a text for people on standard error; standard output is for the ready line. */
export const say = (text: string) => process.stderr.write(`${text}\n`);
