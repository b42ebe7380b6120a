import { beforeEach, vi } from 'vitest';

/** The random waits between attempts are as short as they can be, in each test of a file. */
export const shortestWaits = () =>
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    return () => vi.restoreAllMocks();
  });
