import { signal } from '@preact/signals';

/** What a person proves before a request is sent again. */
export type Proof = 'passkey' | 'password';

interface Asked extends PromiseWithResolvers<boolean> {
  readonly proof: Proof;
}

/** The proof that the page asks for: all requests that need one meanwhile wait for it. */
export const asked = signal<Asked | undefined>();

/** The latest answer of the person. */
let answered = { isGiven: true };

export const latestAnswer = () => answered;

/** Tells the waiting requests whether the person has given the proof. */
export function answer(isGiven: boolean) {
  answered = { isGiven };
  asked.value?.resolve(isGiven);
  asked.value = undefined;
}

/** The data of a refusal. */
export interface Refusal {
  readonly code?: string;
  readonly errors?: readonly { readonly field: string }[];
}

/** The proof that a refused request lacks; undefined where none helps, as for an account without a passkey. */
export function proofFor({ code, errors = [] }: Refusal): Proof | undefined {
  const field = errors[0]?.field;
  if (code === 'step_up_required' && field !== 'passkey') return 'passkey';
  // The service names the session where a new one is needed, by the password.
  if (code === 'forbidden' && field === 'session') return 'password';
  return undefined;
}

/**
 * Asks for a proof, unless the person has answered since the request was sent. A request that is no longer wanted takes back
 * its question.
 *
 * @param sentAfter the latest answer when the request was sent
 * @throws the reason of the signal
 */
export async function isGiven(proof: Proof, sentAfter: object, wanted: AbortSignal | null | undefined) {
  wanted?.throwIfAborted();
  if (sentAfter !== answered) return answered.isGiven;
  const takeBack = () => answer(false);
  wanted?.addEventListener('abort', takeBack);
  asked.value ??= { ...Promise.withResolvers<boolean>(), proof };
  const given = await asked.value.promise;
  wanted?.removeEventListener('abort', takeBack);
  wanted?.throwIfAborted();
  return given;
}
