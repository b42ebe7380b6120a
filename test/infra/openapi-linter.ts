import { expect, test } from 'vitest';
import { openApi } from '../../infra/openapi.ts';
import { STALE } from '../stale.ts';

/** The findings of a linter in an OpenAPI document, hints included. */
type Lint = (source: string) => Promise<string[]>;

/** Tests that a linter accepts the OpenAPI document, and that it would notice a fault. */
export function testLinter(name: string, lint: Lint): void {
  test(`${name} finds no problem in the OpenAPI document`, async () => {
    expect(await lint(JSON.stringify(openApi())), `At an example: ${STALE.record}`).toEqual([]);
  });

  test(`${name} finds an example that its schema refuses`, async () => {
    const { paths, ...document } = JSON.parse(JSON.stringify(openApi()));
    const { '/api/core/system/ping': ping } = paths;
    ping.get.responses['200'].content['application/json'].example.method = 1;
    const text = JSON.stringify({ ...document, paths: { '/ping': ping } });
    expect(await lint(text)).toContainEqual(expect.stringContaining('ping'));
  });
}
