import { rotate } from '#lib/auth/contracts';
import { type RotationEvent, rotateSigningKey } from '#lib/auth/rotation';
import { openSecrets } from '#lib/auth/signing-key';
import { job } from '#lib/job';

const secrets = openSecrets();

/** One step of rotating the signing key; Secrets Manager asks for the four steps in turn. */
export const handler = job(rotate, (event: RotationEvent, runtime) =>
  rotateSigningKey({ ...runtime, secrets }, event),
);
