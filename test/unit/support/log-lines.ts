import { afterEach, beforeEach, vi } from 'vitest';

type Line = Record<string, unknown>;

/** The lines that are logged, without their times, from the beginning of each test on; once at the top of a test file. */
export const logLines = () => linesThat((level) => level !== 'audit');

/** The same of audit lines. */
export const auditLines = () => linesThat((level) => level === 'audit');

function linesThat(are: (level: unknown) => boolean) {
  const lines: Line[] = [];
  let spy: { mockRestore(): void } | undefined;
  beforeEach(() => {
    lines.length = 0;
    spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      if (!String(text).startsWith('{')) return true;
      const { time, ...line } = JSON.parse(String(text)) as Line;
      if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(time)))
        throw new Error(`${text} has no time`);
      if (are(line['level'])) lines.push(line);
      return true;
    });
  });
  afterEach(() => spy?.mockRestore());
  return lines;
}
