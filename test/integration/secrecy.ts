import { afterAll, expect, inject } from 'vitest';
import { logged, readLogs } from './instance-process.ts';
import { credentials } from './service.ts';

/** After each file: of all the credentials that it has used, none stands in any log or event. */
afterAll(async () => {
  const logs = [...logged, ...(inject('stack') ? [] : await readLogs(inject('data')))].join('\n');
  const found = [...credentials].filter((credential) => logs.includes(credential));
  expect(found, 'credentials that were logged').toEqual([]);
});
