import type { TestProject } from 'vitest/node';
import { startEngine } from '../../infra/local/services/engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Endpoint of the DynamoDB engine that the unit tests share; each has a table of its own. */
    engine: string;
    /** Decides the names and the generated inputs of the unit tests. */
    seed: number;
  }
}

/**
 * One engine, in memory, for all unit tests; with `DYNAMODB_URL` that one. All random inputs follow from a seed: by default
 * the same in every run, with `TEST_SEED` another one.
 */
export default async function setup({ provide }: TestProject) {
  const { DYNAMODB_URL, TEST_SEED = '1' } = process.env;
  console.log(`TEST_SEED=${TEST_SEED}`);
  provide('seed', Number(TEST_SEED));
  if (DYNAMODB_URL) {
    provide('engine', DYNAMODB_URL);
    return undefined;
  }
  const engine = await startEngine(undefined, '/dev/null');
  provide('engine', engine.url);
  return engine.close;
}
