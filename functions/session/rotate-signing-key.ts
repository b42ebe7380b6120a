import { job } from '#lib/handler/job';
import { rotateSigningKey } from '#lib/session/jobs';
import { type RotationEvent, takeRotationStep } from '#lib/session/rotation';
import { openSecrets } from '#lib/session/signing-key';

/** One step of rotating the signing key; Secrets Manager requests the four steps in turn. */
export const handler = job(
  rotateSigningKey,
  (event: RotationEvent, runtime) => takeRotationStep(runtime, event),
  { secrets: openSecrets },
);
