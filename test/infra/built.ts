import { inject } from 'vitest';
import { bundle } from '../../infra/bundle.ts';

/** Warnings of the build of all functions, which the integration tests have done if they run too. */
export const warnings = inject('warnings') ?? (await bundle()).warnings.map(({ text }) => text);
