import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { newFolder } from '../unit/support/folder.ts';
import { DYNAMODB_URL } from './instance-process.ts';

test('an instance and its engine end with the program that started them, also when that is killed', async ({
  skip,
}) => {
  skip(DYNAMODB_URL !== undefined, 'the instance has no engine of its own');
  const program = `
    import { startInstance } from './test/integration/instance-process.ts';
    const { ready } = await startInstance({ data: ${JSON.stringify(newFolder())} });
    console.log(JSON.stringify(ready));
    process.kill(process.pid, 'SIGKILL');`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  const { url, dynamodb, events } = JSON.parse(stdout) as Record<string, string>;
  const isGone = (address: string | undefined) =>
    fetch(address as string).then(
      () => false,
      () => true,
    );
  for (const address of [url, dynamodb, events]) await expect.poll(() => isGone(address)).toBe(true);
});
