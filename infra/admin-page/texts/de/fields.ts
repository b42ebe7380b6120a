import type * as en from '../en/fields.ts';

export const fields: typeof en.fields = {
  username: 'Benutzername',
  user_first_name: { label: 'Vorname', hint: '' },
  user_last_name: { label: 'Nachname', hint: '' },
  phonenumber: { label: 'Telefon', hint: '' },
  user_short: { label: 'Kürzel', hint: '' },
  user_color: { label: 'Farbe', hint: 'Zum Beispiel #1A2B3C' },
  user_currency: { label: 'Währung', hint: 'Zum Beispiel EUR' },
  user_properties: {
    label: 'Eigenschaften',
    hint: 'JSON von Anwendungen, zum Beispiel {"root": {"theme": "dark"}}',
  },
};
