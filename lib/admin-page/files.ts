import { files, page } from 'admin:files';
import { cookieOf, presentsCredential } from '../auth/credential.ts';
import { Answer } from '../contract/answer.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { Failure } from '../failure/failure.ts';
import type { Settings } from '../instance/settings.ts';
import { sessionIdIn } from '../session/session-id.ts';

/** The page names the files of its deployment, and depends on the cookie. */
const REVALIDATED = { 'cache-control': 'private, no-cache' };
/** The names of the files change with their content. */
const FOREVER = { 'cache-control': 'public, max-age=31536000, immutable' };

/**
 * The page, or one of its files, whose names change with their content. Addresses are relative, so that they are
 * valid below any base path of a domain.
 *
 * @param name of a file; undefined for the page
 * @param event the request: without a credential the page shows its login at once, with a cookie it marks its session
 * @throws Failure `admin_page_not_found` for another name, or when the instance does not serve the page
 */
export function adminFile(
  name: string | undefined,
  event: GatewayEvent,
  { AdminPage }: Pick<Settings, 'AdminPage'>,
) {
  if (!AdminPage) throw new Failure('admin_page_not_found');
  if (name === undefined)
    return new Answer(html(sessionAttribute(event)), {
      type: 'text/html; charset=utf-8',
      headers: REVALIDATED,
    });
  const file = files.find((each) => each.name === name);
  if (!file) throw new Failure('admin_page_not_found');
  const gzipped = Buffer.from(file.content, 'base64');
  return new Answer('', { type: `${file.type}; charset=utf-8`, gzipped, headers: FOREVER });
}

/** Tells the page that it has a session, and the ID of the one in the cookie, which it marks in the list of sessions. */
const sessionAttribute = (event: GatewayEvent) =>
  presentsCredential(event) ? ` data-session="${sessionIdIn(cookieOf(event))}"` : '';

const html = (attribute: string) => `<!doctype html>
<html lang="en"${attribute}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Administration</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="admin/${page.style}">
${page.parts.map((name) => `<link rel="modulepreload" href="admin/${name}">\n`).join('')}<script type="module" src="admin/${page.script}"></script>
</head>
<body>
<noscript><p>This page needs JavaScript. The operator commands do the same.</p></noscript>
</body>
</html>
`;
