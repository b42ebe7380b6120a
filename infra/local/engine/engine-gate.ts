import { serveGate } from '../machine/serve-gate.ts';

/**
 * Stands before an engine, which answers whoever asks, and lets pass what presents the access key.
 *
 * @param engine its URL
 */
export const startEngineGate = (engine: string, accessKeyId: string) =>
  serveGate(accessKeyId, ({ forward }) => forward(engine));
