import type { TestProject } from 'vitest/node';
import { startEngine } from '../../infra/local/engine/engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Endpoint of the DynamoDB engine that the unit tests share; each has a table of its own. */
    engine: string;
  }
}

/** One engine, in memory, for all unit tests. */
export default async function setup({ provide }: TestProject) {
  const engine = await startEngine();
  provide('engine', engine.url);
  return engine.close;
}
