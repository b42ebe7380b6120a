import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { policiesOf } from '#infra/aws/policies';
import { isAllowed } from '#infra/policy';
import { holdersOfPowers } from '#infra/powers';
import { powersTable, textOf } from '../../infra/docs.ts';
import { STALE } from '../stale.ts';
import { EVERY_OPTION, inApp } from './synth.ts';

const standard = inApp({}, (stack) => policiesOf(stack));

test('functions have the same powers in every stage', () => {
  // The options include those of prod.
  const every = inApp(EVERY_OPTION, (stack) => policiesOf(stack));
  expect(holdersOfPowers(every)).toEqual(holdersOfPowers(standard));
});

test('each power has few holders, except reading accounts', () => {
  const common = holdersOfPowers(standard).filter(([, { length }]) => length > 20);
  expect(common.map(([power]) => power)).toEqual(['read any account']);
});

test('the page of security lists the holders of each power', () => {
  const part = `<!-- powers -->\n\n${textOf(powersTable(standard))}\n\n<!-- /powers -->`;
  expect(readFileSync('lib/auth/README.md', 'utf8'), STALE.docs).toContain(part);
});

/** The streams of the audit log, by who may write them. */
const STREAMS = {
  'audit.collect': 'functions',
  support: 'operators/support/commands',
  administrator: 'operators/administrator/commands',
  nobody: 'operators',
};

test('each stream of the audit log has one writer, by which its lines are attributed', () => {
  const operators = inApp({}, (stack) => policiesOf(stack, 'operators'));
  const holders = Object.entries({ ...standard, ...operators });
  const ofStack = `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:\${AWS::Logs::LogGroup}`;
  const writersOf = (stream: string) =>
    holders.flatMap(([id, statements]) => {
      const resource = `${ofStack}:log-stream:${stream}`;
      return isAllowed(statements, { action: 'logs:PutLogEvents', resource, context: {} }) ? [id] : [];
    });
  expect(Object.fromEntries(Object.entries(STREAMS).map(([id, stream]) => [id, writersOf(stream)]))).toEqual({
    'audit.collect': ['audit.collect'],
    support: ['support'],
    administrator: ['administrator'],
    nobody: [],
  });
});
