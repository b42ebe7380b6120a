import { expect, test } from 'vitest';
import { DOCUMENT, isMissing, LINTERS, problemsOf } from '../clients/linters.ts';

if (isMissing)
  console.log('skipped: the linters of the OpenAPI document (npm run test:clients installs them)');

test.skipIf(isMissing).each(LINTERS)('%s has nothing to say of the OpenAPI document', (linter) => {
  expect(problemsOf(linter)).toBeUndefined();
});

/** The document, and the operation of the pings, which is to be spoiled. */
function copy() {
  const document = JSON.parse(DOCUMENT);
  return { document, ping: document.paths['/api/core/system/ping'].get };
}

test.skipIf(isMissing).each(LINTERS)('%s tells what is wrong, be it but a want of words', (linter) => {
  const { document, ping } = copy();
  ping.tags = ['Unknown'];
  ping.responses['200'].content['application/json'].example.method = 1;
  if (linter === 'spectral') delete ping.description;
  expect(problemsOf(linter, JSON.stringify(document))).toContain('ping');
});
