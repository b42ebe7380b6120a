import type { TestProject } from 'vitest/node';
import { startEngine } from '../../infra/local/services/engine.ts';
import { SEED } from '../names.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Endpoint of the DynamoDB engine that the unit tests share; each has a table of its own. */
    engine: string;
  }
}

/** One engine, in memory, for all unit tests; with `DYNAMODB_URL` that one. */
export default async function setup({ provide }: TestProject) {
  const { DYNAMODB_URL } = process.env;
  console.log(`SEED=${SEED}`);
  provide('seed', SEED);
  if (DYNAMODB_URL) {
    provide('engine', DYNAMODB_URL);
    return undefined;
  }
  const engine = await startEngine(undefined, '/dev/null');
  provide('engine', engine.url);
  return engine.close;
}
