import { setTimeout as sleep } from 'node:timers/promises';
import { bundle, requireBundles } from '#infra/bundle';
import { watchBundles } from '#infra/watch-bundles';
import { readOptions } from './flags.ts';
import { say } from './machine/terminal.ts';
import { welcome } from './ready.ts';
import { rememberStarted } from './started.ts';

/** Limit for a stop by Ctrl-C. */
const STOPS_WITHIN_MS = 10_000;

const PARENT_POLL_MS = 100;

/** Interval of the lines that say what a start is doing. */
const TELL_MS = 1500;

/** Ctrl-C also ends the build and its pipes, whose errors must not come before the signal. */
const SIGNAL_WITHIN_MS = 200;

// No other user of this machine may read password hashes and the signing key.
process.umask(0o077);

const options = readOptions(process.argv.slice(2), process.env);
if (typeof options === 'number') process.exit(options);

let stop: () => void = () => process.exit(0);
// Ctrl-C comes twice: from the terminal and from npm.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop());

process.on('uncaughtException', (error) => void failLater(error));

// A killed npm leaves its script running, with the port and the data directory in use.
const { ppid } = process;
const isNpmStart = process.env['npm_lifecycle_event'] === 'start';
if (isNpmStart) setInterval(() => process.ppid === ppid || stop(), PARENT_POLL_MS).unref();
// The instance ends with a parent process that started it with an IPC channel.
process.on('disconnect', () => stop());

// The build takes longer than everything else, which runs in parallel with it.
const build = options.build ? bundle : requireBundles;
const bundles = options.watch ? watchBundles(say) : build().then(() => undefined);
bundles.catch(() => undefined);

const since = Date.now();
let doing = options.build ? 'Building the functions' : 'Starting';
bundles.then(
  () => {
    doing = 'Starting';
  },
  () => undefined,
);
say(`${doing}...`);
const telling = setInterval(() => say(`${doing}, ${Math.round((Date.now() - since) / 1000)} s...`), TELL_MS);

try {
  const { startInstance } = await import('./start-instance.ts');
  const instance = await startInstance(options, { ...process.env }, bundles);
  stop = () => {
    stop = () => undefined;
    setTimeout(() => process.exit(1), STOPS_WITHIN_MS).unref();
    instance.close().then(() => process.exit(0), fail);
  };
  clearInterval(telling);
  say(welcome(instance.ready, instance));
  process.stdout.write(`${JSON.stringify(instance.ready)}\n`);
  instance.shown();
  if (isNpmStart) rememberStarted(options.data);
} catch (error) {
  await failLater(error);
}

async function failLater(error: unknown): Promise<never> {
  clearInterval(telling);
  await sleep(SIGNAL_WITHIN_MS);
  return fail(error);
}

/** A plain error has a text for people; any other error is shown with its stack. */
function fail(error: unknown): never {
  const { name, message, stack } = error as Error;
  say(name === 'Error' ? message : `${stack}`);
  process.exit(1);
}
