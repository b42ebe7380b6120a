import { Failure } from '../failure.ts';
import type { Settings } from '../settings.ts';

/** @throws Failure `docs_not_found` where the instance keeps its documentation to itself */
export function published({ Docs }: Pick<Settings, 'Docs'>): void {
  if (!Docs) throw new Failure('docs_not_found');
}
