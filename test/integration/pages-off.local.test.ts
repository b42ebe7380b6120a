import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openFunctionLog } from '../../infra/local/services/lambda/function-log.ts';
import { startLambda } from '../../infra/local/services/lambda/lambda.ts';
import { newFolder } from '../unit/support/folder.ts';
import { gatewayEvent } from '../unit/support/gateway-event.ts';
import { requestOf } from './requests.ts';

const [, path] = requestOf('docs.script', { username: 'nobody' });
const script = path.split('/').at(-1);

test("the documentation has no link to an administrator's page that is off", async () => {
  const log = openFunctionLog(join(newFolder(), 'functions.log'), join(newFolder(), 'audit.jsonl'));
  const lambda = startLambda(() => ({ Settings__AdminPage: 'false' }), log);
  onTestFinished(() => lambda.close().then(log.close));
  const { body } = (await lambda.invoke('docs.page', gatewayEvent({ rawPath: '/api/core/docs' }))) as {
    body: string;
  };
  expect(body).toContain('<a href="openapi.json">');
  expect(body).not.toContain('"admin"');
});

test("neither documentation nor administrator's page is served when both are off", async () => {
  const log = openFunctionLog(join(newFolder(), 'functions.log'), join(newFolder(), 'audit.jsonl'));
  const lambda = startLambda(() => ({ Settings__Docs: 'false', Settings__AdminPage: 'false' }), log);
  onTestFinished(() => lambda.close().then(log.close));
  for (const [id, code, pathParameters] of [
    ['docs.page', 'docs_not_found'],
    ['docs.script', 'docs_not_found', { script: script as string }],
    ['docs.openapi', 'docs_not_found'],
    ['admin.page', 'admin_page_not_found'],
  ] as const) {
    const answer = await lambda.invoke(id, gatewayEvent({ ...(pathParameters && { pathParameters }) }));
    expect(answer, id).toMatchObject({
      statusCode: 404,
      headers: { 'cache-control': 'no-store' },
      body: expect.stringContaining(`"code":"${code}"`),
    });
  }
});
