import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { inject } from 'vitest';
import { AUDIT_FILE, OPERATORS_FILE } from '../../infra/local/machine/resource-names.ts';

/** Reads the lines that contain a text without quotes; all lines by default. */
export type Log = (text?: string) => Promise<string[]>;

/** The logs of an instance. */
export interface Logs {
  readonly functions: Log;
  readonly audit: Log;
}

/** The logs of a local instance. */
export const logsIn = (data: string): Logs => ({
  functions: inFiles(join(data, 'functions.log')),
  audit: inFiles(join(data, AUDIT_FILE), join(data, OPERATORS_FILE)),
});

const inFiles =
  (...paths: readonly string[]): Log =>
  async (text = '') => {
    const files = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => '')));
    return files.flatMap((file) => file.split('\n')).filter((line) => line.includes(text));
  };

/** The logs of the service under test; those of a stack since a time, and a few seconds late. */
export async function openLogs(since: number): Promise<Logs> {
  const stack = inject('stack');
  if (stack === undefined) return logsIn(inject('data'));
  const [functions, audit] = await logGroupsOf(stack);
  return { functions: inLogGroup(functions, since), audit: inLogGroup(audit, since) };
}

async function logGroupsOf(StackName: string): Promise<[functions: string, audit: string]> {
  const { Stacks } = await new CloudFormationClient().send(new DescribeStacksCommand({ StackName }));
  const output = (name: string) =>
    Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue as string;
  // All functions share one.
  const { LoggingConfig } = await new LambdaClient().send(
    new GetFunctionConfigurationCommand({ FunctionName: output('RelayFunctionName') }),
  );
  return [LoggingConfig?.LogGroup as string, output('AuditLogGroupName')];
}

/** The lines that Lambda itself writes about each invocation: three of four lines. */
const PLATFORM = '"RequestId:"';

/** A subscription may deliver a line twice: it is one line here. */
function inLogGroup(logGroupName: string, startTime: number): Log {
  const client = new CloudWatchLogsClient();
  return async (text) => {
    const filterPattern = text ? `"${text}"` : `-${PLATFORM}`;
    const lines: string[] = [];
    for await (const { events = [] } of paginateFilterLogEvents(
      { client },
      { logGroupName, startTime, filterPattern },
    ))
      lines.push(...events.map(({ message = '' }) => message.trimEnd()));
    return [...new Set(lines)];
  };
}
