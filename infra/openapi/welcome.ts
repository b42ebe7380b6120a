import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { user_cancel } from '#lib/event/user-events';
import { contract as login } from '#lib/login/login.contract';
import { contract as createToken } from '#lib/token/create.contract';
import { failureExample, requestBody } from './examples.ts';
import { EXAMPLE_URL } from './page.ts';
import { FIGURES } from './texts/figures.ts';
import { PARAMETERS } from './texts/parameters.ts';
import { eventExample } from './webhooks.ts';

/** A card of the greeting: one thing to do first, with a true example and the section about it. */
interface Card {
  readonly title: string;
  readonly text: string;
  readonly example: string;
  readonly link: string;
  /** Anchor of the section that the renderer gives a heading of the guide, or an event. */
  readonly section: string;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** A request as a command for a shell, with the body that is recorded as its example. */
function command({ id, path }: { id: string; path: string }, authorization?: string): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(PARAMETERS[name]?.example));
  const lines = [
    `curl ${EXAMPLE_URL}${filled}`,
    ...(authorization ? [`-H 'Authorization: ${authorization}'`] : []),
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(requestBody(id))}'`,
  ];
  return lines.join(' \\\n  ');
}

const CARDS: readonly Card[] = [
  {
    title: 'Log in',
    text: `A username and a password give a session token, which is valid for ${FIGURES['session-hours']} hours.`,
    example: command(login),
    link: 'Logins, logout and passkeys',
    section: 'description/log-in',
  },
  {
    title: 'Create a token',
    text: 'Programs use API tokens. An administrator creates one; only this answer shows its secret.',
    example: command(createToken, 'Bearer <session token>'),
    link: 'API tokens, their limits and rotation',
    section: 'description/api-tokens',
  },
  {
    title: 'Receive an event',
    text: 'Other systems follow changes of accounts: EventBridge delivers each at least once.',
    example: json(eventExample(user_cancel)),
    link: 'All events and their fields',
    section: 'tag/webhooks',
  },
  {
    title: 'Handle an error',
    text: 'Decide by the status and data.code. With the requestID, operators find the cause in the log.',
    example: json(failureExample('forbidden')),
    link: 'All codes, and what to do',
    section: 'description/errors',
  },
];

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const cardOf = ({ title, text, example, link, section }: Card) => `<article>
<h3>${escaped(title)}</h3>
<p>${escaped(text)}</p>
<pre tabindex="0" role="region" aria-label="Example: ${escaped(title)}"><code>${escaped(example)}</code></pre>
<a href="#${escaped(section)}">${escaped(link)}</a>
</article>
`;

/** The cards that greet readers of the page, as HTML that needs no script. */
export const welcome = (): string => CARDS.map(cardOf).join('');

/** The style of the greeting, and the colours of the administrator's page, which the whole page has. */
export async function welcomeStyle(): Promise<string> {
  const files = ['../admin-page/style/tokens.css', 'page/welcome.css'];
  const style = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n');
  return (await transform(style, { loader: 'css', minify: true })).code.trim();
}
