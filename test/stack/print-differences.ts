import { FAILING, LEFT_OUT, PATCHED, UNREPORTED, UNSHOWN } from './differences.ts';

/** Each difference of the emulator: what it is about, what the tests do about it, and why. */
const rows = [
  ...LEFT_OUT.map(({ what, reason }) => [what, 'left out', reason]),
  ...Object.values(PATCHED).map(({ what, reason }) => [what, 'changed', reason]),
  ...Object.entries(UNREPORTED).map(([check, { isMended, reason }]) => [
    `\`doctor\`: \`${check}\``,
    isMended ? 'reported as a fault, until `restore check --mend`' : 'reported as a fault',
    reason,
  ]),
  ...Object.entries(UNSHOWN).map(([check, reason]) => [
    `Check \`${check}\` of the first deployment`,
    'does not run',
    reason,
  ]),
  ...FAILING.map(({ title, reason }) => [
    `Tests with titles like \`${title.source.replaceAll('|', '\\|')}\``,
    'fail',
    reason,
  ]),
];

// `npm run docs` runs this file: no file of infra imports tests.
process.stdout.write(JSON.stringify([['What', 'There', 'Reason'], rows]));
