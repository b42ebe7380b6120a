import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Pages for those who operate an instance. */
export const OPERATORS_PAGES = globSync('infra/{admin,aws,stages}/**/*.md', { cwd: ROOT }).sort();

/** A block of commands in a page, and the headings that it is below, the highest first. */
export interface Block {
  readonly headings: readonly string[];
  readonly lines: readonly string[];
}

/** The `sh` blocks of a page, as they stand there. */
export function blocksIn(page: string): Block[] {
  const blocks: { headings: string[]; lines: string[] }[] = [];
  let headings: string[] = [];
  let fence: string | undefined;
  for (const line of readFileSync(join(ROOT, page), 'utf8').split('\n')) {
    const text = line.trim();
    if (text.startsWith('```')) {
      fence = fence === undefined ? text.slice(3) : undefined;
      if (fence === 'sh') blocks.push({ headings, lines: [] });
    } else if (fence === 'sh') blocks.at(-1)?.lines.push(text);
    else if (fence === undefined && /^#+ /.test(line)) {
      const [marks = '', ...words] = line.split(' ');
      headings = [...headings.slice(0, marks.length - 1), words.join(' ')];
    }
  }
  return blocks;
}

/**
 * The lines of the `sh` blocks below a heading of a page, up to the next heading of the same or a higher level.
 *
 * @param page its path in the repository
 * @throws Error if there is none
 */
export function commandsIn(page: string, heading: string): string[] {
  const lines = blocksIn(page).flatMap((block) => (block.headings.includes(heading) ? block.lines : []));
  if (lines.length === 0) throw new Error(`${page} has no commands below "${heading}"`);
  return lines;
}

/** Words of a text about a theft. */
const THEFT = /\b(thief|thieves|stolen|steals?|theft|leaked|attacker|copied|forger)\b/i;

/** Commands that end something of an account. */
const ENDS =
  /^(account (lock|unlock|password|code|cancel|reset-stamp|sessions|passkey remove)|token (revoke|delete|rotate)|keys revoke)\b/;

/** A text of a page, outside of its blocks, that answers a theft with commands. */
export interface Claim {
  readonly text: string;
  readonly commands: readonly string[];
}

/** The texts of a page (paragraphs, items of lists, rows of tables) that answer a theft with commands. */
export function claimsIn(page: string): Claim[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replace(/^ *```.*?^ *```$/gms, '');
  return text.split(/\n\n|\n(?=(?:- |\d+\. |\| |#))/).flatMap((part) => {
    // Without the targets of links.
    const words = part
      .replace(/\s+/g, ' ')
      .replace(/\]\(\S+?\)/g, ']')
      .trim();
    const spans = [...words.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replace(/^admin /, ''));
    const commands = spans.filter((span) => ENDS.test(span));
    return THEFT.test(words) && commands.length > 0 ? [{ text: words, commands }] : [];
  });
}
