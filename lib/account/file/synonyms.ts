import { importable, SECRETS } from './columns.ts';

/**
 * What else columns are called: by people, and in exports of Google Workspace, Microsoft Entra ID and Microsoft 365, Okta, Personio
 * and BambooHR. Where an export has only an address, that is the username. Private telephone numbers are none for colleagues.
 */
const SYNONYMS: Readonly<Record<string, string>> = {
  username:
    'Login, Login name, User principal name, UPN, Benutzer, Benutzername, Benutzerprinzipalname, Anmeldename, Loginname, Email, Email address, Mail, Mail address, Work email, Work email address, Business email, Primary email, E-Mail-Adresse, Geschäftliche E-Mail, Geschäftliche E-Mail-Adresse, E-Mail (geschäftlich), E-Mail geschäftlich, Dienstliche E-Mail, Berufliche E-Mail',
  user_first_name: 'Given name, Given names, Forename, Vorname, Vornamen',
  user_last_name: 'Surname, Family name, Nachname, Familienname, Zuname',
  user_short: 'Initials, Initialen, Kürzel, Kurzzeichen',
  user_color: 'Colour, Farbe',
  user_currency: 'Währung',
  phonenumber:
    'Phone, Telephone, Telephone number, Mobile, Mobile phone, Mobile number, Mobile phone number, Cell phone, Work phone, Work phone number, Office phone, Office phone number, Business phone, Primary phone, Telefon, Telefonnummer, Telefon-Nr, Tel, Tel-Nr, Rufnummer, Mobil, Mobilnummer, Mobiltelefon, Mobiltelefonnummer, Handy, Handynummer, Diensttelefon, Telefon (geschäftlich), Telefon geschäftlich, Geschäftliche Telefonnummer',
  roles: 'Role, Rolle, Rollen',
  teams: 'Team',
  kind: 'Type, Art, Account type, User type',
  owner: 'Responsible, Responsible person, Verantwortlich, Verantwortliche Person, Inhaber',
  apps: 'App, Application, Applications, Anwendung, Anwendungen',
};

/** A name without case, spaces, signs, and the words of a form that must be filled in. */
const folded = (name: string) =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\((?:required|optional|pflichtfeld)\)/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
    .replace(/(?:required|erforderlich)$/, '');

let meanings: ReadonlyMap<string, string> | undefined;

/** The properties by the folded names of their columns; only their own names mean secrets, as they are. */
function meaningsOf(): ReadonlyMap<string, string> {
  const own = importable()
    .filter((name) => !SECRETS.includes(name))
    .flatMap((name) => [name, name.replace(/^user_/, '')].map((each) => [folded(each), name] as const));
  const others = Object.entries(SYNONYMS).flatMap(([name, all]) =>
    all.split(', ').map((each) => [folded(each), name] as const),
  );
  return new Map([...own, ...others]);
}

/** The property that a column sets. Entra ID writes the name of an attribute in brackets after that in a language, Google notes. */
export function propertyOf(name: string): string | undefined {
  const secret = SECRETS.find((each) => each === name.toLowerCase().replace(/[\s-]/g, '_'));
  if (secret) return secret;
  meanings ??= meaningsOf();
  const [, before = name, within = ''] = /^([^[]*)\[([^\]]*)\]/.exec(name) ?? [];
  return meanings.get(folded(before)) ?? meanings.get(folded(within));
}
