import { said } from '../../said.ts';
import type * as en from '../en/states.ts';

export const states: typeof en.states = {
  names: {
    active: 'Aktiv',
    invited: 'Eingeladen',
    code_expired: 'Code abgelaufen',
    never_used: 'Nie benutzt',
    locked: 'Gesperrt',
    cancelled: 'Gekündigt',
  },
  ends: (time) => said`endet ${time}`,
  erased: 'eine gelöschte Person',
};
