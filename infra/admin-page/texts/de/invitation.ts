import { number } from '../../locale.ts';
import { said } from '../../said.ts';
import type * as en from '../en/invitation.ts';

export const invitation: typeof en.invitation = {
  code: 'Einmalcode',
  next: 'Wie es weitergeht',
  give: (name) =>
    said`Geben Sie den Code ${name} und niemandem sonst: Wer ihn hat, kann das Passwort festlegen.`,
  address: (link) => said`Damit wird das Passwort hier festgelegt: ${link}`,
  end: (end) =>
    `Der Code funktioniert einmal, bis ${end}. Danach erstellen Sie auf der Seite der Person einen neuen.`,
  copy: 'Als Nachricht kopieren',
  message: ({ name, owner, address, username, code, end }) =>
    `Guten Tag ${name}, legen Sie hier Ihr Passwort für ${owner} fest:\n${address}\nBenutzername: ${username}\nEinmalcode: ${code}\nDer Code funktioniert einmal, bis ${end}.`,
  giveAll: (link) =>
    said`Geben Sie jeden Code nur der Person, für die er ist. Damit legt sie hier ein Passwort fest: ${link}. Jeder funktioniert einmal.`,
  once: 'Die Codes werden nur hier angezeigt: Kopieren oder laden Sie sie herunter, bevor Sie dies schließen.',
  copyAll: 'Nachrichten kopieren',
  copied: (n) => `${number(n)} kopiert`,
  cannotCopy: 'Der Browser kann nicht kopieren: Laden Sie die Codes herunter.',
  download: 'Codes herunterladen',
  format: 'Format',
  file: 'einmalcodes',
  loss: 'Sie haben die Codes weder kopiert noch heruntergeladen. Niemand kann sie noch einmal anzeigen.',
};
