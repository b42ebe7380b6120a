import { createServer } from 'node:http';
import { listen } from '../infra/local/machine/listen.ts';

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const { url, close } = await listen(createServer());
  await close();
  return Number(new URL(url).port);
}
