import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import type { Vitest } from 'vitest/node';
import { collectAudit } from '#lib/audit/jobs';
import { relayOutbox } from '#lib/outbox/jobs';
import { rotateResourceKey } from '#lib/resource/jobs';
import { contracts } from '#lib/routes';
import { rotateSigningKey } from '#lib/session/jobs';
import { wordsOf } from '../../infra/admin/command.ts';
import { COMMANDS } from '../../infra/admin/commands.ts';
import { functionNameOf } from '../../infra/aws/function.ts';
import type { Evidence } from '../../infra/evidence.ts';
import { TRIGGERS } from '../../infra/triggers.ts';
import { originalOf } from './assembly.ts';
import { type Cloud, PROGRAMS } from './cloud.ts';
import { EMULATOR } from './emulator.ts';
import { exitStatusesOf, type Program } from './exit-statuses.ts';
import { callersOf, evidenceOf } from './grants.ts';
import { type Call, readCalls, readLines } from './recorder.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILE = join(ROOT, 'infra/evidence.json');

/** Set by `npm run test:stack -- --evidence`. */
export const isRequested = () => process.env['STACK_EVIDENCE'] === '1';

/**
 * Writes what a run has shown, while its stack still exists.
 *
 * @returns its file
 * @throws Error if a test of the tree has not passed in this run
 */
export async function writeEvidence(
  { state }: Vitest,
  { folder }: Cloud,
  stack: string,
  seconds: number,
): Promise<string> {
  const modules = state.getTestModules();
  const tests = modules.flatMap(({ children }) => [...children.allTests()]);
  const all = globSync('test/stack/**/*.test.ts', { cwd: ROOT });
  if (modules.length < all.length || tests.some((test) => test.result().state !== 'passed'))
    throw new Error('No evidence was written: it needs a run of all parts in which every test passes.');
  const calls = readCalls(join(folder, 'calls.jsonl'));
  const log = readFileSync(join(folder, 'emulator.log'), 'utf8');
  const started = new Set([...log.matchAll(/Lambda worker spawned for (\S+) /g)].map(([, name]) => name));
  const callers = await callersOf(stack, calls);
  const hasRun = (id: string) => started.has(functionNameOf(stack, id));
  const evidence: Evidence = {
    date: new Date().toISOString().slice(0, 10),
    commit: git('rev-parse', 'HEAD'),
    isDirty: git('status', '--porcelain', '--', '.', `:!${FILE}`) !== '',
    emulator: EMULATOR,
    seconds: Math.round(seconds),
    tests: tests.length,
    resources: await resourcesOf(folder, stack),
    triggers: triggersOf(stack, { calls, log, started, hasRun }),
    functions: Object.fromEntries(
      callers.map((caller) => [
        caller.id,
        { hasRun: hasRun(caller.id), calls: caller.calls.length, ...evidenceOf(caller) },
      ]),
    ),
    commands: commandsOf(folder, calls),
  };
  writeFileSync(FILE, `${JSON.stringify(evidence, null, 2)}\n`);
  console.log(`${FILE} is written. Run \`npm run docs\`.`);
  return FILE;
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** Resources of the synthesized stack by type: those that CloudFormation created, and the others. */
async function resourcesOf(folder: string, StackName: string): Promise<Evidence['resources']> {
  const created = new Map<string | undefined, number>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client: new CloudFormationClient() },
    { StackName },
  ))
    for (const { ResourceType, ResourceStatus } of StackResourceSummaries)
      if (/^(CREATE|UPDATE)_COMPLETE$/.test(ResourceStatus ?? ''))
        created.set(ResourceType, (created.get(ResourceType) ?? 0) + 1);
  const { Resources } = originalOf(join(folder, StackName));
  const types = Map.groupBy(Object.values(Resources), ({ Type }) => Type);
  return Object.fromEntries(
    [...types].sort().map(([type, all]) => {
      const count = created.get(type) ?? 0;
      return [type, { created: count, leftOut: all.length - count }];
    }),
  );
}

interface Seen {
  readonly calls: readonly Call[];
  readonly log: string;
  /** Names of functions that have run. */
  readonly started: ReadonlySet<string | undefined>;
  readonly hasRun: (id: string) => boolean;
}

function triggersOf(stack: string, { calls, log, started, hasRun }: Seen): Evidence['triggers'] {
  const lines = (text: string) => log.split(text).length - 1;
  const delivered = (name: string) => lines(`EventBridge → Lambda ${name}`);
  const invoked = (id: string) =>
    calls.filter(({ operation }) => operation.endsWith(`/functions/${functionNameOf(stack, id)}/invocations`))
      .length;
  const startedWith = (prefix: string) => [...started].filter((name) => name?.startsWith(prefix)).length;
  const seen = (name: string): number => {
    if (name.startsWith('schedule ')) return delivered(functionNameOf(stack, name.replace('schedule ', '')));
    switch (name) {
      case 'http':
        return contracts.filter(({ id }) => hasRun(id)).length;
      case 'rotation':
        return invoked(rotateSigningKey.id);
      case 'resource-rotation':
        return invoked(rotateResourceKey.id);
      case 'audit-lines':
        return lines(`Lambda worker spawned for ${functionNameOf(stack, collectAudit.id)} `);
      case 'relay':
        return invoked(relayOutbox.id);
      case 'subscriber':
        return delivered('account-subscriber-');
      case 'replay':
        return calls.filter(({ operation, status }) => operation === 'StartReplay' && status === 200).length;
      case 'authorizer':
        return startedWith('orders-Authorizer');
      default:
        // No part of the run makes a job or an event fail, or an alarm change its state.
        return 0;
    }
  };
  return Object.fromEntries(TRIGGERS.map(({ name }) => [name, seen(name)]));
}

function commandsOf(folder: string, calls: readonly Call[]): Evidence['commands'] {
  const programs = readLines<Program>(join(folder, PROGRAMS));
  const audited = calls.flatMap(({ operation, input }) =>
    operation === 'PutLogEvents'
      ? (input as { logEvents: { message: string }[] }).logEvents.map(({ message }) => message)
      : [],
  );
  return Object.fromEntries(
    COMMANDS.filter((command) => !('local' in command)).map((command) => {
      const words = wordsOf(command);
      return [words, exitStatusesOf(words, programs, audited)];
    }),
  );
}
