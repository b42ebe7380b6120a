import { job } from '#lib/handler/job';
import { rotateResourceKey } from '#lib/resource/jobs';
import { OF_RESOURCES } from '#lib/resource/rotation';
import { type RotationEvent, takeRotationStep } from '#lib/session/rotation';
import { openSecrets } from '#lib/session/signing-key';

/** One step of rotating the keys of tokens for other services; Secrets Manager requests the four steps in turn. */
export const handler = job(
  rotateResourceKey,
  (event: RotationEvent, runtime) => takeRotationStep(runtime, event, OF_RESOURCES),
  { secrets: openSecrets },
);
