// Nobody may be listening any more, which is no reason to stop.
process.stderr.on('error', () => undefined);

/** Tells people something: standard output is left to the ready line. */
export const say = (text: string) => process.stderr.write(`${text}\n`);
