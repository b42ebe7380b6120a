import { readFileSync } from 'node:fs';

const HEADING = /^(#+) (.+)$/;

/**
 * The commands of an operators' page below a heading, as they stand there: the lines of the `sh` blocks up to the next
 * heading of the same or a higher level.
 *
 * @param page its path
 */
export function commandsIn(page: string, heading: string): string[] {
  const commands: string[] = [];
  let level = 0;
  let isShell = false;
  for (const line of readFileSync(page, 'utf8').split('\n')) {
    const [, marks = '', text] = HEADING.exec(line) ?? [];
    if (line.startsWith('```')) isShell = line === '```sh';
    else if (isShell && level > 0 && line !== '') commands.push(line);
    else if (!isShell && text === heading) level = marks.length;
    else if (!isShell && marks !== '' && marks.length <= level) break;
  }
  if (commands.length === 0) throw new Error(`${page} has no commands below "${heading}"`);
  return commands;
}
