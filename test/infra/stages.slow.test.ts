import { expect, it } from 'vitest';
import { PROD, synthesize, synthesizeAnew } from './synth.ts';

it('two deployments of a stage have the same template', () => {
  const [first, second] = [synthesize(PROD), synthesizeAnew(PROD)];
  expect(second.text === first.text).toBe(true);
});
