import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startEngine } from '../../../infra/local/services/engine.ts';
import { newFolder } from '../support/folder.ts';

const OWN = process.getuid?.();
const SYSTEM = `root:x:0:0:root:/root:/bin/bash
nobody:x:65534:65534:nobody:/nonexistent:/bin/sh
me:x:${OWN}:${OWN}::/home/me:/bin/bash
ftp:x:1200:1200::/srv/ftp:/usr/sbin/nologin
`;

test.each<[number, string]>([
  [1, `${SYSTEM}ada:x:1202:1202:Ada,,,:/home/ada:/bin/bash\n`],
  [1, `ada:x:1202:1202::/home/ada:\n${SYSTEM}bob:x:1203:1203::/home/bob:/bin/sh\n`],
  [0, SYSTEM],
])('the engine prints %i line about other users when the users are %j', async (times, passwd) => {
  const folder = newFolder();
  writeFileSync(join(folder, 'passwd'), passwd);
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await (await startEngine(undefined, join(folder, 'passwd'))).close();
  expect(written.mock.calls).toEqual(Array(times).fill([expect.stringContaining('Other users')]));
  written.mockRestore();
});
