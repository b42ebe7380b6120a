import { CHECKS, type Part } from './checks.ts';
import { isAsExpected, type Recording } from './record.ts';
import recorded from './recording.json' with { type: 'json' };

type Table = readonly [head: readonly string[], rows: readonly (readonly string[])[]];

/** What a first deployment has sent back; null if there was none. */
const RECORDING = recorded as Recording | null;

const shownBy = (recording: Recording | null, id: string) =>
  recording?.checks.find((shown) => shown.id === id);

/** Whether all checks of a part ran on AWS as expected. */
export const hasRunOnAws = (part: Part, recording = RECORDING): boolean =>
  CHECKS.filter((check) => check.part === part).every((check) => {
    const shown = shownBy(recording, check.id);
    return shown !== undefined && isAsExpected(check, shown);
  });

/** The checks of the first deployment, with what they must print. */
export const checksTable = (): Table =>
  [
    ['Check', 'Shows that', 'Expect'],
    CHECKS.map(({ id, shows, expected, requires }) => [
      `\`${id}\``,
      shows,
      `${expected}${requires ? ` (needs \`${requires}\`)` : ''}`,
    ]),
  ] as const;

/** What has run on AWS: a sentence without a recording, otherwise each check with its result. */
export function awsTable(recording = RECORDING): string | Table {
  if (!recording)
    return '**Nothing has run on AWS**: [go through the checklist](first-deployment.md), and send the recording back.';
  return [
    [`On AWS, ${recording.region}, ${recording.date}, commit \`${recording.commit.slice(0, 12)}\``, 'Result'],
    CHECKS.map((check) => {
      const shown = shownBy(recording, check.id);
      if (!shown) return [`\`${check.id}\``, 'did not run'];
      return [
        `\`${check.id}\``,
        `${isAsExpected(check, shown) ? 'as expected' : '**differs**'}: ${lastLine(shown.output)}`,
      ];
    }),
  ];
}

const MAX_CHARACTERS = 80;

/** The last line of an output, for a cell of a table. */
const lastLine = (output: string) => {
  const line = output.trim().split('\n').at(-1)?.slice(0, MAX_CHARACTERS) ?? '';
  return line === '' ? 'no output' : `\`${line.replaceAll('`', "'").replaceAll('|', '\\|')}\``;
};
