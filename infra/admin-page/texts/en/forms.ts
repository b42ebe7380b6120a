import { type Said, said } from '../../said.ts';

export const forms = {
  show: 'Show',
  stop: 'Stop',
  back: 'Back',
  save: 'Save',
  saved: (value: Said) => said`Another person saved “${value}”`,
  edit: (label: string) => `Edit ${label}`,
  none: 'none',
  unknownOutcome: 'You stopped waiting for the answer. Check what was done before you try again.',
  /** The answer to a form that has no text of its own: the one of the service, which is English. */
  answer: (message: string) => message,
  draftKept: 'Draft kept',
  discard: 'Discard',
  close: 'Close',
  closeAllTheSame: 'Close all the same',
  dismiss: 'Dismiss',
  copied: 'Copied',
  copyRefused: 'The browser cannot copy it: select the texts above.',
};
