import { Failure } from '../failure.ts';
import type { Settings } from '../settings.ts';

/** @throws Failure `docs_not_found` when the instance does not publish its documentation */
export function published({ Docs }: Pick<Settings, 'Docs'>): void {
  if (!Docs) throw new Failure('docs_not_found');
}
