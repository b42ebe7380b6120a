import { bundle, requireBundles } from '#infra/bundle';
import { watchBundles } from '#infra/watch-bundles';
import { readOptions } from './flags.ts';
import { rememberLastStarted } from './last-started.ts';
import { say } from './machine/terminal.ts';
import { welcome } from './ready.ts';

/** Ctrl-C ends the instance in any case after this long. */
const STOPS_WITHIN_MS = 10_000;

const PARENT_POLL_MS = 100;

// Password hashes and the signing key are for nobody else on this machine.
process.umask(0o077);

const options = readOptions(process.argv.slice(2));
if (typeof options === 'number') process.exit(options);

let stop: () => void = () => process.exit(0);
// npm passes on the Ctrl-C that the terminal has sent already, so it comes twice.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop());

// Killed, npm leaves its script behind, and with it the port and the data directory in use.
const { ppid } = process;
const isNpmStart = process.env['npm_lifecycle_event'] === 'start';
if (isNpmStart) setInterval(() => process.ppid === ppid || stop(), PARENT_POLL_MS).unref();
// A program that has started it with a channel ends it by its own end, however that comes.
process.on('disconnect', () => stop());

// Building takes longer than all the rest, the loading of the rest included, which goes on beside it.
const bundles = options.watch
  ? watchBundles(say)
  : options.build
    ? bundle().then(() => undefined)
    : requireBundles().then(() => undefined);
bundles.catch(() => undefined);

try {
  const { startInstance } = await import('./start-instance.ts');
  const instance = await startInstance(options, { ...process.env }, bundles);
  stop = () => {
    stop = () => undefined;
    setTimeout(() => process.exit(1), STOPS_WITHIN_MS).unref();
    instance.close().then(
      () => process.exit(0),
      (error) => fail(error),
    );
  };
  say(welcome(instance.ready, instance));
  process.stdout.write(`${JSON.stringify(instance.ready)}\n`);
  instance.shown();
  if (isNpmStart) rememberLastStarted(options.data);
} catch (error) {
  fail(error);
}

/** What people can act on is a plain error with a text for them; another has its stack shown. */
function fail(error: unknown): never {
  const { name, message, stack } = error as Error;
  say(name === 'Error' ? message : `${stack}`);
  process.exit(1);
}
