import { type Noun, type Phrase, withoutTarget } from '../../accounts/sentences.ts';
import { number } from '../../locale.ts';
import { said } from '../../said.ts';
import type * as en from '../en/sentences.ts';

/** Infinitive, participle, and infinitive with “zu”. */
type Verb = readonly [string, string, string];

/** A verb whose forms are regular but for its participle. */
const verb = (infinitive: string, participle: string): Verb => [infinitive, participle, `zu ${infinitive}`];

/** A verb with a prefix that parts from it: `auf|listen`. */
const parting = (text: string, participle: string): Verb => {
  const [prefix, rest] = text.split('|');
  return [`${prefix}${rest}`, participle, `${prefix}zu${rest}`];
};

const SPERREN = verb('sperren', 'gesperrt');
const ENTSPERREN = verb('entsperren', 'entsperrt');
const KUENDIGEN = verb('kündigen', 'gekündigt');
const REAKTIVIEREN = verb('reaktivieren', 'reaktiviert');
const ERSTELLEN = verb('erstellen', 'erstellt');
const AENDERN = verb('ändern', 'geändert');
const WECHSELN = verb('wechseln', 'gewechselt');
const KOPIEREN = verb('kopieren', 'kopiert');
const BEENDEN = verb('beenden', 'beendet');
const LOESCHEN = verb('löschen', 'gelöscht');
const ENTFERNEN = verb('entfernen', 'entfernt');
const WIDERRUFEN = verb('widerrufen', 'widerrufen');
const ERNEUERN = verb('erneuern', 'erneuert');
const ERSETZEN = verb('ersetzen', 'ersetzt');
const GEBEN = verb('geben', 'gegeben');
const ENTZIEHEN = verb('entziehen', 'entzogen');
const ZAEHLEN = verb('zählen', 'gezählt');
const ERGAENZEN = verb('ergänzen', 'ergänzt');
const PRUEFEN = verb('prüfen', 'geprüft');
const VEROEFFENTLICHEN = verb('veröffentlichen', 'veröffentlicht');
const SENDEN = verb('senden', 'gesendet');
const EXPORTIEREN = verb('exportieren', 'exportiert');
const IMPORTIEREN = verb('importieren', 'importiert');
const REPARIEREN = verb('reparieren', 'repariert');
const LESEN = verb('lesen', 'gelesen');
const ERREICHEN = verb('erreichen', 'erreicht');
const BEGINNEN = verb('beginnen', 'begonnen');
const ANMELDEN = parting('an|melden', 'angemeldet');
const ABMELDEN = parting('ab|melden', 'abgemeldet');
const UMBENENNEN = parting('um|benennen', 'umbenannt');
const UMWANDELN = parting('um|wandeln', 'umgewandelt');
const FREIGEBEN = parting('frei|geben', 'freigegeben');
const AUFLISTEN = parting('auf|listen', 'aufgelistet');
const ANFORDERN = parting('an|fordern', 'angefordert');
const HERUNTERLADEN = parting('herunter|laden', 'heruntergeladen');
const SCHALTEN: Verb = ['ein- oder ausschalten', 'ein- oder ausgeschaltet', 'ein- oder auszuschalten'];
const ENTKRAEFTEN: Verb = ['ungültig machen', 'ungültig gemacht', 'ungültig zu machen'];
const NUTZEN: Verb = [
  'nutzen, was diese Seite nicht kennt',
  'genutzt, was diese Seite nicht kennt',
  'zu nutzen, was diese Seite nicht kennt',
];

/** What is done to what: `{ein Konto}` with `SPERREN`. In lists it has neither an article nor “sich”. */
function does(object: string, [infinitive, done, to]: Verb, label?: string, end = ''): Phrase {
  const text = label ?? `${withoutTarget(object)} ${infinitive}`;
  const plain = text.trim().replace(/^(sich|eine?n?|de[nr]|die|das) /, '');
  return {
    done: `${object} ${done}`.trim(),
    tried: `${object} ${to}`.trim(),
    label: plain.charAt(0).toUpperCase() + plain.slice(1) + end,
  };
}

/** The same by the command of an operator. */
const commands = (object: string, verb: Verb) => does(object, verb, undefined, ' (Operator)');

const people = (count: number) => (count === 1 ? '1 Person' : `${number(count)} Personen`);
const counted = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;
const tokens = (count: number) => counted(count, 'Token', 'Tokens');
/** The end of “Rollen”. */
const n = (count: number) => (count === 1 ? '' : 'n');

const accusative: Noun = {
  named: (name) => name,
  yours: 'Ihr Konto',
  own: (isYou) => (isYou ? 'Ihr eigenes Konto' : 'das eigene Konto'),
  erased: 'eine gelöschte Person',
  many: people,
};
const dative: Noun = {
  named: (name) => name,
  yours: 'Ihrem Konto',
  own: (isYou) => (isYou ? 'Ihrem eigenen Konto' : 'dem eigenen Konto'),
  erased: 'einer gelöschten Person',
  many: people,
};
const genitive: Noun = {
  named: (name) => said`von ${name}`,
  yours: 'Ihres Kontos',
  own: (isYou) => (isYou ? 'Ihres eigenen Kontos' : 'des eigenen Kontos'),
  erased: 'einer gelöschten Person',
  many: (count) => `von ${people(count)}`,
};

export const sentences: typeof en.sentences = {
  actions: {
    'account.access': does('den Zugriff {eines Kontos}', AENDERN),
    'account.cancel': does('{ein Konto|das Konto}', KUENDIGEN),
    'account.code': does('einen Einmalcode für {ein Konto}', ERSTELLEN),
    'account.context': does('die Anwendung {eines Kontos}', WECHSELN),
    'account.copy': does('Rollen und Teams auf {ein Konto}', KOPIEREN),
    'account.create': does('{ein Konto|das Konto}', ERSTELLEN),
    'account.end-session': does('eine Sitzung {eines Kontos}', BEENDEN),
    'account.erase': does('{ein Konto|das Konto} endgültig', LOESCHEN),
    'account.export': does('alle Daten {eines Kontos}', HERUNTERLADEN),
    'account.lock': does('{ein Konto}', SPERREN),
    'account.login': does('sich', ANMELDEN),
    'account.logout': does('sich', ABMELDEN),
    'account.passkey-assert': does('sich mit einem Passkey', ANMELDEN),
    'account.passkey-create': does('einen Passkey für {ein Konto}', ERSTELLEN),
    'account.passkey-delete': does('einen Passkey {eines Kontos}', ENTFERNEN),
    'account.password': does('das Passwort {eines Kontos}', AENDERN),
    'account.profile-update': does('das Profil {eines Kontos}', AENDERN),
    'account.reactivate': does('{ein Konto|das Konto}', REAKTIVIEREN),
    'account.unlock': does('{ein Konto}', ENTSPERREN),
    'oauth.revoke': does('{eine Sitzung oder ein Token|eine Sitzung eines Kontos}', WIDERRUFEN),
    'oauth.token': does(
      'sich mit einem Token',
      ANMELDEN,
      'mit einem Token anmelden oder eines für einen Dienst holen',
    ),
    'team.create': does('{ein Team}', ERSTELLEN),
    'team.delete': does('{ein Team}', LOESCHEN),
    'team.rename': does('{ein Team}', UMBENENNEN),
    'token.create': does('{ein Token}', ERSTELLEN),
    'token.create-login-token': does('{ein Token zur Anmeldung}', ERSTELLEN),
    'token.create-own': does('{ein eigenes Token}', ERSTELLEN),
    'token.delete': does('{ein Token}', LOESCHEN),
    'token.revoke': does('alle Tokens {eines Kontos}', LOESCHEN),
    'token.rotate': does('das Geheimnis {eines Tokens}', ERNEUERN),
    'trust.create': does('{eine Vertrauensregel|eine Vertrauensregel für ein Konto}', ERSTELLEN),
    'trust.delete': does('{eine Vertrauensregel|eine Vertrauensregel eines Kontos}', LOESCHEN),
    'keys.rotate-signing-key': does('den Schlüssel, der Sitzungen signiert,', ERSETZEN),
    'keys.rotate-resource-key': does('einen Schlüssel, der Tokens signiert,', ERSETZEN),
    'first-start': does('{den ersten Administrator|das Konto}', ERSTELLEN),
    'admin account add': commands('{einem Konto} Zugriff', GEBEN),
    'admin account cancel': commands('{ein Konto|das Konto}', KUENDIGEN),
    'admin account code': commands('einen Einmalcode für {ein Konto}', ERSTELLEN),
    'admin account create': commands('{ein Konto|das Konto}', ERSTELLEN),
    'admin account erase': commands('{ein Konto|das Konto} endgültig', LOESCHEN),
    'admin account export': commands('alle Daten {eines Kontos}', HERUNTERLADEN),
    'admin account lock': commands('{ein Konto}', SPERREN),
    'admin account lockout': commands(
      'die Sperre nach fehlgeschlagenen Anmeldungen für {ein Konto}',
      SCHALTEN,
    ),
    'admin account passkey remove': {
      done: 'einen Passkey {eines Kontos} entfernt und alle Sitzungen beendet',
      tried: 'einen Passkey {eines Kontos} zu entfernen und alle Sitzungen zu beenden',
      label: 'Passkey eines Kontos entfernen und alle Sitzungen beenden (Operator)',
    },
    'admin account password': commands('das Passwort {eines Kontos}', AENDERN),
    'admin account password-costs': commands('die Arten der Passwörter', ZAEHLEN),
    'admin account reactivate': commands('{ein Konto|das Konto}', REAKTIVIEREN),
    'admin account remove': commands('{einem Konto} Zugriff', ENTZIEHEN),
    'admin account reset-stamp': commands('alle Sitzungen und Codes {eines Kontos}', BEENDEN),
    'admin account reset-stamps': commands('alle Sitzungen und Codes {aller Konten|eines Kontos}', BEENDEN),
    'admin account sessions': commands('Sitzungen {eines Kontos}', BEENDEN),
    'admin account to-machine': commands('{ein Konto|das Konto} in eine Maschine', UMWANDELN),
    'admin account unlock': commands('{ein Konto}', ENTSPERREN),
    'admin audit refill': commands('fehlende Einträge im Protokoll', ERGAENZEN),
    'admin doctor': commands('den Zustand des Dienstes', PRUEFEN),
    'admin events publish': commands('die wartenden Ereignisse', VEROEFFENTLICHEN),
    'admin events replay': commands('frühere Ereignisse erneut', SENDEN),
    'admin export': commands('{alle Konten}', EXPORTIEREN),
    'admin import': commands('{Konten}', IMPORTIEREN),
    'admin keys revoke': commands('einen Schlüssel und alles, was er signiert hat,', ENTKRAEFTEN),
    'admin keys rotate': commands('den Wechsel eines Schlüssels zum Signieren', BEGINNEN),
    'admin login block': commands('{eine Adresse}', SPERREN),
    'admin login unblock': commands('{eine Adresse}', FREIGEBEN),
    'admin restore adopt-key': commands('den Schlüssel der gelöschten Namen', KOPIEREN),
    'admin restore check': commands('die Einstellungen einer Tabelle', REPARIEREN),
    'admin restore erase-again': commands(
      '{ein Konto|das Konto} nach einer Wiederherstellung erneut endgültig',
      LOESCHEN,
    ),
    'admin team create': commands('{ein Team}', ERSTELLEN),
    'admin team delete': commands('{ein Team}', LOESCHEN),
    'admin team rename': commands('{ein Team}', UMBENENNEN),
    'admin token create': commands('{ein Token}', ERSTELLEN),
    'admin token delete': commands('{ein Token}', LOESCHEN),
    'admin token revoke': commands('Tokens von {Konten}', LOESCHEN),
    'admin token rotate': commands('das Geheimnis {eines Tokens}', ERNEUERN),
    'admin trust create': commands('{eine Vertrauensregel|eine Vertrauensregel für ein Konto}', ERSTELLEN),
    'admin trust delete': commands('{Vertrauensregeln|eine Vertrauensregel eines Kontos}', LOESCHEN),
  },

  reads: {
    'account.browse': does('Konten', AUFLISTEN),
    'account.passkey-options': does('einen Passkey', ANFORDERN),
    'account.passkeys': does('die Passkeys {eines Kontos}', AUFLISTEN),
    'account.profile': does('das Profil {eines Kontos}', LESEN),
    'account.sessions': does('die Sitzungen {eines Kontos}', AUFLISTEN),
    'audit.browse': does('die Aktivität', AUFLISTEN),
    'event.pending': does('die wartenden Ereignisse', AUFLISTEN),
    'oauth.introspect': does('eine Sitzung oder ein Token', PRUEFEN),
    'system.info': does('die Angaben zum Dienst', LESEN),
    'system.ping': does('den Dienst', ERREICHEN),
    'system.preview': does('den Namen des Dienstes', LESEN),
    'system.uuid': does('eine ID', ANFORDERN),
    'system.uuids': does('IDs', ANFORDERN),
    'team.browse': does('Teams', AUFLISTEN),
    'token.browse': does('die Tokens aller Konten', AUFLISTEN),
    'token.list-own': does('eigene Tokens', AUFLISTEN),
    'token.list-user': does('die Tokens {eines Kontos}', AUFLISTEN),
    'trust.browse': does('Vertrauensregeln von Maschinen', AUFLISTEN),
  },

  unknown: does('', NUTZEN),
  tokenForService: does('ein Token für {einen Dienst}', ANFORDERN),
  tokenLogin: does('sich mit dem Token {Name}', ANMELDEN),
  trustLogin: does('sich über die Vertrauensregel {Name}', ANMELDEN),
  byTrust: (name) => said`, über die Vertrauensregel ${name}`,

  nouns: {
    'ein Konto': accusative,
    'das Konto': {
      named: (name) => said`das Konto von ${name}`,
      yours: 'Ihr Konto',
      own: accusative.own,
      erased: 'das Konto einer gelöschten Person',
      many: (count) => (count === 1 ? 'das Konto von 1 Person' : `die Konten von ${people(count)}`),
    },
    'einem Konto': dative,
    'eines Kontos': genitive,
  },
  account: accusative,
  dative,
  owner: genitive,
  token: (name, owner, general) =>
    said`${general === 'eines Tokens' ? 'des Tokens' : 'das Token'} ${name}${owner}`,
  team: (name) => said`das Team ${name}`,

  actors: {
    firstStart: 'Der erste Start',
    someone: 'Jemand',
    you: 'Sie',
    service: 'Der Dienst',
    erased: 'Eine gelöschte Person',
    operator: 'Ein Operator',
    unproved: (name) => said`(nicht nachgewiesen: ${name})`,
  },

  did: (actor, done, isYou) => said`${actor} ${isYou ? 'haben' : 'hat'} ${done}`,
  tried: (actor, tried, isYou) => said`${actor} ${isYou ? 'haben' : 'hat'} versucht, ${tried}`,
  began: (actor, tried, isYou) => said`${actor} ${isYou ? 'haben' : 'hat'} begonnen, ${tried}.`,
  unchanged: ': nichts geändert',
  unconfirmed: ': es muss mit einem Passkey bestätigt werden',
  stillRuns: 'Es läuft noch oder wurde abgebrochen.',
  mayHaveChanged: 'Vielleicht wurde dabei etwas geändert.',
  times: (count) => `(${number(count)}-mal)`,

  additions: {
    until: (time) => said`, bis ${time}`,
    expires_at: (time) => said`, gültig bis ${time}`,
    source: (person) => said`, von ${person}`,
    user_app_name: (app) => said`, zu ${app}`,
    file: (name) => said` aus ${name}`,
    reason: (text) => said`, „${text}“`,
    fields: (names) => said` (${names})`,
    roles_added: (names, count) => said`, Rolle${n(count)} ${names} hinzugefügt`,
    roles_removed: (names, count) => said`, Rolle${n(count)} ${names} entfernt`,
    teams_added: (names, count) => said`, Team${count === 1 ? '' : 's'} ${names} hinzugefügt`,
    teams_removed: (names, count) => said`, Team${count === 1 ? '' : 's'} ${names} entfernt`,
    apps_added: (names, count) => said`, Anwendung${count === 1 ? '' : 'en'} ${names} hinzugefügt`,
    apps_removed: (names, count) => said`, Anwendung${count === 1 ? '' : 'en'} ${names} entfernt`,
    invite_hours: (hours) => `, mit einem Einmalcode für ${counted(hours, 'Stunde', 'Stunden')}`,
    to_machine: ', in eine Maschine umgewandelt',
    machine_owner: (person) => said`, Besitzer ist nun ${person}`,
    passkey: (name) => said` (${name})`,
    trust: (name) => said` (${name})`,
    byCode: ' mit einem Einmalcode',
    former: ', nur ein früheres Geheimnis',
    revoked: (count) => ` (${tokens(count)})`,
    tokens_revived: (count) => `, ${tokens(count)} wieder gültig`,
    tokens_revoked: (count) => `, ${tokens(count)} gelöscht`,
    count: (count) => ` (${number(count)})`,
  },
  more: (names, count) => said`${names} und ${count} weitere`,
  fields: {
    user_first_name: 'Vorname',
    user_last_name: 'Nachname',
    user_short: 'Initialen',
    user_color: 'Farbe',
    user_currency: 'Währung',
    user_properties: 'Eigenschaften',
    phonenumber: 'Telefonnummer',
    team_id: 'Team',
  },

  failedLogins: {
    of: (count, account) =>
      said`${count === 1 ? 'Eine fehlgeschlagene Anmeldung' : `${number(count)} fehlgeschlagene Anmeldungen`}${account}`,
    account: (name) => said` von ${name}`,
    token: ' mit einem Token',
    unknown: ' mit einem unbekannten Benutzernamen',
    passkey: ' mit einem Passkey',
    from: (address) => said` von der Adresse ${address}`,
  },
  failed: 'Es ist fehlgeschlagen.',
  invalidPasskey: 'Der Passkey ist nicht gültig.',

  causes: {
    account_cancelled: 'Das Konto ist gekündigt.',
    account_locked: 'Das Konto ist gesperrt.',
    locked_out: 'Zu viele Anmeldungen waren fehlgeschlagen.',
    no_password: 'Das Konto hat kein Passwort.',
    wrong_password: 'Das Passwort ist falsch.',
    no_code: 'Das Konto hat keinen Einmalcode.',
    wrong_code: 'Der Einmalcode ist falsch.',
    code_expired: 'Der Einmalcode ist abgelaufen.',
    code_ended: 'Der Einmalcode wurde benutzt oder beendet.',
    unknown_token: 'Ein solches Token gibt es nicht.',
    token_expired: 'Das Token ist abgelaufen.',
    token_revoked: 'Das Token wurde gelöscht.',
    wrong_address: 'Das Token gilt nicht für diese Adresse.',
    unknown_passkey: 'Kein Konto hat diesen Passkey.',
    passkey_removed: 'Der Passkey wurde entfernt.',
    malformed_grant: 'Das Token der Plattform ist nicht gültig.',
    unknown_trust: 'Die Maschine hat keine solche Vertrauensregel.',
    unknown_issuer: 'Das Token ist von einem anderen Aussteller, als die Vertrauensregel nennt.',
    issuer_unreachable: 'Der Aussteller des Tokens gibt seine Schlüssel nicht heraus.',
    unknown_key: 'Kein Schlüssel des Ausstellers hat das Token signiert.',
    bad_signature: 'Kein Schlüssel des Ausstellers hat das Token signiert.',
    wrong_audience: 'Das Token ist für einen anderen Dienst.',
    grant_expired: 'Das Token der Plattform ist abgelaufen.',
    grant_not_begun: 'Das Token der Plattform gilt erst später: Prüfen Sie die Uhren.',
    grant_too_long: 'Das Token der Plattform gilt länger als einen Tag.',
    wrong_subject: 'Das Token hat ein anderes Subjekt, als die Vertrauensregel nennt.',
    wrong_claim: 'Eine Angabe im Token hat einen anderen Wert, als die Vertrauensregel nennt.',
    grant_spent: 'Das Token der Plattform wurde schon einmal benutzt.',
    passkey_cloned:
      'Der Zähler des Passkeys ging zurück: Das Gerät wurde zurückgesetzt oder kopiert. Entfernen Sie den Passkey und erstellen Sie ihn neu.',
  },

  operations: {
    given: (roles, count, persons) => said`${people(persons)} die Rolle${n(count)} ${roles} gegeben`,
    taken: (roles, count, persons) => said`${people(persons)} die Rolle${n(count)} ${roles} entzogen`,
    created: (persons) => `${people(persons)} importiert`,
    unchanged: {
      given: (count) => counted(count, 'hatte sie schon', 'hatten sie schon'),
      taken: (count) => counted(count, 'hatte sie nicht', 'hatten sie nicht'),
      locked: (count) => counted(count, 'war schon so gesperrt', 'waren schon so gesperrt'),
      unlocked: (count) => counted(count, 'war nicht gesperrt', 'waren nicht gesperrt'),
      cancelled: (count) => counted(count, 'war schon gekündigt', 'waren schon gekündigt'),
      reactivated: (count) => counted(count, 'war aktiv', 'waren aktiv'),
      created: (count) => counted(count, 'gab es schon', 'gab es schon'),
      other: (count) => `${number(count)} unverändert`,
    },
    failed: (count) => `${number(count)} fehlgeschlagen`,
  },
};
