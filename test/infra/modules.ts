/** The modules of `lib` that all others may import, and each other. */
export const GROUND = ['async failure input instance log network text', 'precise-time.ts texts.ts time.ts']
  .join(' ')
  .split(' ');

/** The modules of `lib`, each above all that it may import. */
export const LIB = (
  'item event table stats contract runtime.ts idempotency pseudonym audit outbox session password team account token resource auth login ' +
  'passkey export erasure trust oauth system docs admin-page http handler probe endpoints.ts client routes.ts'
).split(' ');
