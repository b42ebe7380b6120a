import type * as en from '../en/search.ts';

export const search: typeof en.search = {
  findPerson: 'Person suchen',
  nameOrUsername: 'Name oder Benutzername',
  typePart: 'Geben Sie einen Teil des Namens oder Benutzernamens ein.',
  searching: 'Suche läuft …',
  noOne: 'Niemand gefunden.',
  pickOrClear: 'Wählen Sie einen Eintrag der Liste, oder leeren Sie das Feld.',
  create: (kind, name) => `${kind} „${name}“ anlegen`,
  checkSpelling: 'Neu: Dieser Name ist noch nicht in Gebrauch. Prüfen Sie die Schreibweise.',
  isNew: (name) => `${name} (neu)`,
  noMatch: (label, text) => `${label}: Nichts passt zu „${text}“.`,
};
