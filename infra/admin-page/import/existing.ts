import { foldCase } from '#lib/text/fold-case';
import type { Checked } from './check.ts';
import type { Line } from './line.ts';

/** The account that a line would create once more. */
export const existingIn = ({ existing }: Pick<Checked, 'existing'>, { value }: Line) =>
  existing.get(foldCase(value.username ?? ''));
