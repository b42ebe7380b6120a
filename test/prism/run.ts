import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../infra/bundle.ts';
import { startInstance } from '../integration/instance-process.ts';
import { withEveryCredential } from './document.ts';
import { startJudge } from './judge.ts';
import { startRecorder } from './recorder.ts';
import { newVerdict } from './verdict.ts';

/**
 * Runs the integration tests through a recorder, and has `prism proxy` compare every exchange with the OpenAPI document
 * that the instance serves, or with the file that `DOCUMENT` names. Arguments are handed to vitest.
 */
const folder = await mkdtemp(join(tmpdir(), 'core-account-prism-'));
const data = join(folder, 'data');

await bundle();
const env = { Settings__BcryptCost: '10' };
const instance = await startInstance({ data, args: ['--no-demo', '--enforce-iam'], env });
const { DOCUMENT } = process.env;
const read = async () => (await fetch(`${instance.ready.url}/api/core/openapi.json`)).text();
const document = join(folder, 'openapi.json');
await writeFile(
  document,
  withEveryCredential(DOCUMENT === undefined ? await read() : await readFile(DOCUMENT, 'utf8')),
);

const judge = await startJudge(document);
const verdict = newVerdict();
const judged: Promise<void>[] = [];
const recorder = await startRecorder(
  () => instance.ready.url,
  (exchange) => judged.push(judge.judge(exchange).then(verdict.take, verdict.fail)),
);

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
const tests = spawn(process.execPath, [...vitest, '--project', 'integration', ...process.argv.slice(2)], {
  cwd: join(import.meta.dirname, '../..'),
  stdio: 'inherit',
  env: {
    ...process.env,
    BASE_URL: recorder.url,
    ADMIN_TOKEN: instance.ready.admin.token,
    DATA: data,
  },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => tests.kill());
const [code] = (await once(tests, 'exit')) as [number | null];
await Promise.all(judged);

recorder.close();
judge.close();
await instance.stop();
await rm(folder, { recursive: true });
console.log(verdict.text());
process.exitCode = verdict.isClean() ? (code ?? 1) : 1;
