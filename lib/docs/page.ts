import { Answer } from '../contract/answer.ts';
import { Failure } from '../failure/failure.ts';
import type { Settings } from '../instance/settings.ts';
import { contract as page } from './page.contract.ts';
import { SCRIPT } from './script.ts';

/** HTML and a style that `infra/bundle.ts` inserts, from `infra/openapi/welcome.ts`. */
declare const DOCS_WELCOME: string;
declare const DOCS_STYLE: string;

/**
 * The page, or from an alias a redirect to it. Addresses are relative, so that they are valid below any base path.
 *
 * @param path of the request
 * @throws Failure `docs_not_found` when the instance does not publish its documentation
 */
export function docsPage(path: string, { Docs, AdminPage }: Pick<Settings, 'Docs' | 'AdminPage'>) {
  if (!Docs) throw new Failure('docs_not_found');
  if (path !== page.path) {
    const location = page.path.slice(path.lastIndexOf('/') + 1);
    return new Answer('', { status: 302, headers: { location } });
  }
  return new Answer(html(AdminPage), { type: 'text/html; charset=utf-8' });
}

/** Greets readers before the renderer, which takes a moment, has loaded. */
const html = (hasAdminPage: boolean) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>core-account: accounts, API tokens and sessions</title>
<link rel="icon" href="data:,">
<style>${DOCS_STYLE}</style>
</head>
<body>
<section class="welcome" aria-labelledby="start">
<div class="welcome-top">
<h2 id="start">Start here</h2>
<nav aria-label="Other pages">
${hasAdminPage ? '<a href="admin">Administrator’s page</a>\n' : ''}<a href="openapi.json">OpenAPI document</a>
</nav>
</div>
<div class="cards">
${DOCS_WELCOME}</div>
</section>
<div id="docs"></div>
<noscript>
<p>This page needs JavaScript. The <a href="openapi.json">OpenAPI document</a> has the same content.</p>
</noscript>
<script src="docs/${SCRIPT}"></script>
</body>
</html>
`;
