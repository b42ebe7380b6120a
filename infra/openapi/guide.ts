import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAILURES, type FailureCode } from '#lib/failure/codes';
import { contracts } from '#lib/routes';
import { CODES, failuresOf } from './failures.ts';

const textOf = (name: string) => readFileSync(join(import.meta.dirname, 'texts', name), 'utf8').trimEnd();

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
  const parts = { services: textOf('services.md'), client: textOf('client.md'), failures: failureList() };
  return Object.entries(parts).reduce((text, [name, part]) => {
    const marker = `<!-- ${name} -->`;
    if (!text.includes(marker)) throw new Error(`infra/openapi/texts/guide.md has no ${marker}`);
    return text.replace(marker, () => part);
  }, textOf('guide.md'));
}
