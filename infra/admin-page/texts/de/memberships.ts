import type * as en from '../en/memberships.ts';

export const memberships: typeof en.memberships = {
  labels: { roles: 'Rollen', teams: 'Teams', apps: 'Anwendungen' },
  creates: { roles: 'Rolle', apps: 'Anwendung' },
  role: 'Rolle',
  search: 'Suchen',
  names: {
    sys_administrator: 'Administrator',
    sys_tokens: 'Eigene API-Tokens',
    sys_introspection: 'Token-Prüfung',
  },
  permits: {
    sys_administrator:
      'Benutzt diese Seite: sieht und ändert alle Konten, ihre Rollen, Passwörter und API-Tokens.',
    sys_tokens: 'Erstellt API-Tokens für Programme, die im Namen dieser Person arbeiten.',
    sys_introspection: 'Für Programme, die prüfen, wer ihnen eine Anfrage geschickt hat; nicht für Personen.',
  },
  adds: 'Kommt hinzu: ',
  removes: 'Fällt weg: ',
  thisPerson: 'diese Person',
  promotion: (of, isOne) =>
    `Ja, ${of} soll${isOne ? '' : 'en'} Administrator werden: alle Konten sehen und ändern, allen Personen Rollen geben, Passwörter ersetzen und Konten kündigen können.`,
};
