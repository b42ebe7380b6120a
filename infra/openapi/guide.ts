import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAILURES, type FailureCode } from '#lib/failure/codes';
import { contracts } from '#lib/routes';
import { CODES, failuresOf } from './failures.ts';

const MARKER = '<!-- failures -->';

/** A heading for each failure code of the endpoints, since the search of the page finds headings. */
function failureList(): string {
  const answered = new Set(contracts.filter(({ forPeople }) => !forPeople).flatMap(failuresOf));
  const codes = (Object.keys(FAILURES) as FailureCode[]).filter((code) => answered.has(code));
  const line = (code: FailureCode) =>
    `### ${code}\n\n**${FAILURES[code].status}**: ${CODES[code].means}. *${CODES[code].remedy}*`;
  return codes.map(line).join('\n\n');
}

/** The guide for readers who have only the URL, in Markdown. */
export function guide(): string {
  const text = readFileSync(join(import.meta.dirname, 'texts/guide.md'), 'utf8');
  if (!text.includes(MARKER)) throw new Error(`infra/openapi/texts/guide.md has no ${MARKER}`);
  return text.replace(MARKER, () => failureList());
}
