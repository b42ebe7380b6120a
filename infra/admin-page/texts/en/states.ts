import { type Said, said } from '../../said.ts';

/** The states of an account, as the list, the filters and the person's page name them. */
export const states = {
  names: {
    active: 'Active',
    invited: 'Invited',
    code_expired: 'Code expired',
    never_used: 'Never used',
    locked: 'Locked',
    cancelled: 'Cancelled',
  },
  /** A lock or a code. */
  ends: (time: Said) => said`ends ${time}`,
  erased: 'an erased person',
};
