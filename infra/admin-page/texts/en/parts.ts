export const parts = {
  none: 'none',
  progress: 'Progress',
  busy: (clock: string) => `The service is busy. The work goes on by itself at ${clock}.`,
  notSent: 'Not sent: you stopped before.',
  confirm: (text: string) => `Type ${text} to confirm`,
  codeLabel: 'The code ends after',
  hours: (n: number) => `${n} ${n === 1 ? 'hour' : 'hours'}`,
  days: (n: number) => `${n} ${n === 1 ? 'day' : 'days'}`,
  copy: 'Copy',
  once: 'It is shown only once.',
  copied: 'Copied. It is shown only once.',
  cannotCopy: 'The browser cannot copy it: select it. It is shown only once.',
};
