export { DESCRIPTIONS, requirementsOf, subjectSoFar, WRITTEN } from './platforms.ts';
export { snippetOf } from './snippets.ts';
