import { files, scripts, style } from 'admin:files';
import preferredLanguages from 'negotiator/lib/language.js';
import { cookieOf, presentsCredential } from '../auth/credential.ts';
import { Answer } from '../contract/answer.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { Failure } from '../failure/failure.ts';
import type { Settings } from '../instance/settings.ts';
import { sessionIdIn } from '../session/session-id.ts';
import { LANGUAGES, type Language } from './languages.ts';

/** The page names the files of its deployment, and depends on the cookie. */
const REVALIDATED = { 'cache-control': 'private, no-cache', vary: 'Accept-Language' };
/** The names of the files change with their content. */
const FOREVER = { 'cache-control': 'public, max-age=31536000, immutable' };

type PageSettings = Pick<Settings, 'AdminPage' | 'OwnerName' | 'OwnerLanguage' | 'OwnerLogo'>;

/**
 * The page, or one of its files, whose names change with their content. Addresses are relative, so that they are
 * valid below any base path of a domain.
 *
 * @param name of a file; undefined for the page
 * @param event the request: without a credential the page shows its login at once, with a cookie it marks its session
 * @param chosen language of the page, which its address names
 * @throws Failure `admin_page_not_found` for another name, or when the instance does not serve the page
 */
export function adminFile(
  name: string | undefined,
  event: GatewayEvent,
  settings: PageSettings,
  chosen?: Language,
) {
  if (!settings.AdminPage) throw new Failure('admin_page_not_found');
  if (name === undefined) {
    const language = chosen ?? languageFor(event, settings);
    return new Answer(html(language, `${ownerAttributes(settings)}${sessionAttribute(event)}`), {
      type: 'text/html; charset=utf-8',
      headers: REVALIDATED,
    });
  }
  const file = files.find((each) => each.name === name);
  if (!file) throw new Failure('admin_page_not_found');
  const gzipped = Buffer.from(file.content, 'base64');
  return new Answer('', { type: `${file.type}; charset=utf-8`, gzipped, headers: FOREVER });
}

/** The language of the owner, if it is one of the page other than the default; else the one that the browser prefers. */
function languageFor({ headers }: GatewayEvent, { OwnerLanguage }: PageSettings): Language {
  const [ofOwner = ''] = OwnerLanguage.toLowerCase().split('-');
  const [fallback, ...others] = LANGUAGES;
  const owned = others.find((language) => language === ofOwner);
  const [preferred = fallback] = preferredLanguages(headers['accept-language'], [...LANGUAGES]);
  return owned ?? (preferred as Language);
}

/** Tells the page that it has a session, and the ID of the one in the cookie, which it marks in the list of sessions. */
const sessionAttribute = (event: GatewayEvent) =>
  presentsCredential(event) ? ` data-session="${sessionIdIn(cookieOf(event))}"` : '';

/** The name and the logo of the owner, which the page shows before a login, too. */
const ownerAttributes = ({ OwnerName, OwnerLogo }: PageSettings) =>
  Object.entries({ owner: OwnerName, logo: OwnerLogo })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` data-${name}="${escaped(value)}"`)
    .join('');

const escaped = (text: string) => text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);

const TEXTS: Readonly<Record<Language, { title: string; noScript: string }>> = {
  en: {
    title: 'Administration',
    noScript: 'This page needs JavaScript. The operator commands do the same.',
  },
  de: {
    title: 'Verwaltung',
    noScript: 'Diese Seite braucht JavaScript. Die Befehle für den Betrieb können dasselbe.',
  },
};

const html = (language: Language, attributes: string) => `<!doctype html>
<html lang="${language}"${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${TEXTS[language].title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="admin/${style}">
${scripts[language].parts.map((name) => `<link rel="modulepreload" href="admin/${name}">\n`).join('')}<script type="module" src="admin/${scripts[language].script}"></script>
</head>
<body>
<noscript><p>${TEXTS[language].noScript}</p></noscript>
</body>
</html>
`;
