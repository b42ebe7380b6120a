import { readdirSync, readFileSync } from 'node:fs';
import { expect, inject, test, vi } from 'vitest';
import { startEngine } from '../../../infra/local/engine/engine.ts';

/** The environments of all processes whose command names a port: Linux shows them as files. */
const environmentsOf = (port: string) =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return command.includes(port) ? [readFileSync(`/proc/${pid}/environ`, 'utf8')] : [];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });

test.skipIf(process.platform !== 'linux')(
  'the engine is not told the password of the administrator',
  async () => {
    expect(environmentsOf(new URL(inject('engine')).port)).not.toEqual([]);
    vi.stubEnv('ADMIN_PASSWORD', 'correct horse battery');
    const engine = await startEngine();
    try {
      const environments = environmentsOf(new URL(engine.url).port);
      expect(environments).not.toEqual([]);
      expect(environments.join()).not.toContain('correct horse');
    } finally {
      await engine.close();
      vi.unstubAllEnvs();
    }
  },
);
