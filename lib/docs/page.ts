import { Answer } from '../contract/answer.ts';
import { Failure } from '../failure/failure.ts';
import type { Settings } from '../instance/settings.ts';
import { contract as page } from './page.contract.ts';
import { SCRIPT } from './script.ts';

/**
 * The page, or from an alias a redirect to it. Addresses are relative, so that they are valid below any base path.
 *
 * @param path of the request
 * @throws Failure `docs_not_found` when the instance does not publish its documentation
 */
export function docsPage(path: string, { Docs }: Pick<Settings, 'Docs'>) {
  if (!Docs) throw new Failure('docs_not_found');
  if (path !== page.path) {
    const location = page.path.slice(path.lastIndexOf('/') + 1);
    return new Answer('', { status: 302, headers: { location } });
  }
  return new Answer(HTML, { type: 'text/html; charset=utf-8' });
}

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>core-account: accounts, API tokens and sessions</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="docs"></div>
<noscript>
<p>This page needs JavaScript. The <a href="openapi.json">OpenAPI document</a> has the same content.</p>
</noscript>
<script src="docs/${SCRIPT}"></script>
</body>
</html>
`;
