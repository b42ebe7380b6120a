import type { Finding } from '../table/checks.ts';
import { listed, type Output } from './output.ts';
import { Refusal } from './refusal.ts';

export type Diagnosis = Omit<Finding, 'state'> & { readonly state: Finding['state'] | 'mended' };

/** The diagnoses, a line each. @throws Refusal if a check found a fault */
export function report(
  diagnoses: readonly Diagnosis[],
  refusal: { code: string; message: (faults: number) => string; changed?: boolean },
): Output {
  const lines = diagnoses.map(
    ({ check, state, found }) => `${state.padEnd(7)}  ${check.padEnd(22)}  ${found}`,
  );
  const faults = diagnoses.filter(({ state }) => state === 'missing' || state === 'wrong');
  if (faults.length === 0) return listed(diagnoses, lines);
  throw new Refusal(refusal.code, refusal.message(faults.length), {
    errors: faults.map(({ check, found }) => ({ field: check, message: found })),
    changed: refusal.changed ?? false,
    lines,
  });
}
