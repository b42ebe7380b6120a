import type * as en from '../en/document.ts';

export const document: typeof en.document = {
  print: 'Drucken oder als PDF speichern',
  close: 'Schließen',
  never: 'nie',
};
