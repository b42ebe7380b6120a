import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { newFolder } from '../unit/support/folder.ts';

/** Answers events by the function of an asset, in the order in which they come. */
const DRIVER = `
const { handler } = require(process.argv[2]);
process.on('message', (event) =>
  handler(event).then((result) => process.send({ result }), (error) => process.send({ error: error.message })));
`;

/**
 * Runs the function of an asset as Lambda does, in a process with an environment of its own, until the test ends.
 *
 * @param asset folder with the bundle
 */
export async function runAsset(asset: string, env: Readonly<Record<string, string>>) {
  const driver = join(newFolder(), 'driver.cjs');
  await writeFile(driver, DRIVER);
  const child = fork(driver, [join(asset, 'index.js')], { env, execArgv: [], silent: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    /** All that the function has logged. */
    output: () => output,
    /** @throws Error with the message of the function's error */
    async invoke<Result>(event: object): Promise<Result> {
      child.send(event);
      const [answer] = (await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(([code]) =>
          Promise.reject(new Error(`The function ended: ${code}\n${output}`)),
        ),
      ])) as [{ result: Result; error?: string }];
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.result;
    },
  };
}
