import type { Contract, Job } from '#lib/contract/contract';
import { needsOf } from '#lib/routes';

/**
 * Whether a function reads the public keys in its init phase: every endpoint that may, which authenticates, logs in or
 * publishes the keys. No caller waits for a job.
 */
export const initialises = (definition: Contract | Job) =>
  'access' in definition && needsOf(definition).has('table:Query:KEYS');

/** Name of {@link INIT}. Lambda's runtime prefers it to `index.cjs`. */
export const INIT_FILE = 'index.mjs';

/**
 * The module that Lambda loads for such a function. Lambda ends the init phase when a module has loaded, and only an ES
 * module can wait for a promise. `require` loads the code, since `import` would search it for its exports first.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html
 */
export const INIT = `import { createRequire } from 'node:module';
const { handler } = createRequire(import.meta.url)('./index.cjs');
await handler.init();
export { handler };
`;
