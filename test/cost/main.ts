import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { ASSUMPTIONS } from '#infra/cost/prices';
import { costReport, type Findings, figuresOf, memoryReport } from '#infra/cost/report';
import { deployedBy, type Template } from '#infra/cost/template';
import { APP_ID } from '#lib/environment';
import { bundle } from '../../infra/bundle.ts';
import { measureAll, type Run } from './run.ts';

const USAGE = `npm run cost -- [--memory] [--json] [--stage <name>] [--cpu-scale 1] [--save <file>] [--from <file>]
  --memory     durations and dollars of every function with each size of memory
  --stage      counts in the template of this stage
  --cpu-scale  CPU time of Lambda by that of this machine: 0.5 where Lambda is twice as fast
  --save       keeps what was measured; --from reports on that, without measuring again
`;

const { values } = parseArgs({
  options: {
    memory: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    stage: { type: 'string' },
    'cpu-scale': { type: 'string' },
    save: { type: 'string' },
    from: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const cpuScale = Number(values['cpu-scale'] ?? ASSUMPTIONS.cpuScale);
if (!(cpuScale > 0)) throw new Error('--cpu-scale expects a number above 0');

interface Saved {
  readonly machine: string;
  readonly measuredAt: string;
  readonly parts: Run;
}

/** Measures now. It takes a minute or two. */
async function measured(): Promise<Saved> {
  await bundle();
  const parts = await measureAll((id) => process.stderr.write(`measuring ${id}\n`));
  const machine = `${cpus().length} CPUs ${cpus()[0]?.model ?? ''}, Node.js ${process.versions.node}`;
  return { machine, measuredAt: new Date().toISOString().slice(0, 10), parts };
}

/** The template, in a process of its own: nothing else here knows CDK. */
async function synthesized(): Promise<Template> {
  const context = JSON.stringify(values.stage ? { stage: values.stage } : {});
  const printer = join(import.meta.dirname, '../infra/synth.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [printer, context], { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout) as Template;
}

const saved = values.from ? (JSON.parse(await readFile(values.from, 'utf8')) as Saved) : await measured();
if (values.save) await writeFile(values.save, JSON.stringify(saved, undefined, 1));
const template = await synthesized();
const findings: Findings = {
  ...saved,
  template,
  deployed: deployedBy(template, APP_ID),
  assumed: { ...ASSUMPTIONS, cpuScale },
};
const figures = figuresOf(findings);
if (values.json) console.log(JSON.stringify(figures, undefined, 2));
else console.log(values.memory ? memoryReport(figures, findings) : costReport(figures));
