import { afterEach, beforeEach, vi } from 'vitest';

/** The lines that are logged, from the beginning of each test on; to be called once at the top of a test file. */
export function logLines() {
  const lines: Record<string, unknown>[] = [];
  let spy: { mockRestore(): void } | undefined;
  beforeEach(() => {
    lines.length = 0;
    spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      if (String(text).startsWith('{')) lines.push(JSON.parse(String(text)));
      return true;
    });
  });
  afterEach(() => spy?.mockRestore());
  return lines;
}
