import type { EventDefinition } from './event.ts';
import { changed, changeOf, text } from './fields.ts';

const trustName = () =>
  text('Name of the trust, unique within the machine; an earlier or later one may have the same name');

/** A new trust of a machine: tokens of its issuer that meet it sign in. */
export const trust_create = {
  type: 'trust_create',
  version: '1',
  subject: 'account',
  summary: 'A trust was created',
  own: () => ({
    trust_name: trustName(),
    ...changed('trust_created', 'Time at which the trust was created'),
  }),
  detail: (_account, occurrence, trust_name: string) => ({
    trust_name,
    ...changeOf('trust_created', occurrence),
  }),
  sample: 'deploy',
} as const satisfies EventDefinition<'account', string>;

/** A deleted trust; its sessions are refused from the next request on. */
export const trust_delete = {
  type: 'trust_delete',
  version: '1',
  subject: 'account',
  summary: 'A trust was deleted',
  own: () => ({
    trust_name: trustName(),
    ...changed('trust_deleted', 'Time at which the trust was deleted'),
  }),
  detail: (_account, occurrence, trust_name: string) => ({
    trust_name,
    ...changeOf('trust_deleted', occurrence),
  }),
  sample: 'deploy',
} as const satisfies EventDefinition<'account', string>;
