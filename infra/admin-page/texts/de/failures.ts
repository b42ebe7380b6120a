import type * as en from '../en/failures.ts';

export const failures: typeof en.failures = {
  of: {
    invalid_request: 'Einiges davon ist nicht gültig.',
    team_not_member: 'Das Konto ist kein Mitglied dieses Teams.',
    unauthenticated: 'Sie sind nicht mehr angemeldet.',
    invalid_credentials: 'Benutzername, Passwort oder Code ist nicht gültig.',
    forbidden: 'Das dürfen Sie nicht.',
    step_up_required: 'Nicht ausgeführt: Es muss mit einem Passkey bestätigt werden.',
    account_not_found: 'Es gibt kein Konto mit diesem Benutzernamen.',
    token_not_found: 'Es gibt kein API-Token mit diesem Namen. Vielleicht wurde es inzwischen gelöscht.',
    session_not_found: 'Diese Sitzung ist schon beendet.',
    passkey_not_found: 'Es gibt keinen Passkey mit diesem Namen. Vielleicht wurde er inzwischen entfernt.',
    trust_not_found:
      'Es gibt keine Vertrauensregel mit diesem Namen. Vielleicht wurde sie inzwischen gelöscht.',
    app_not_found: 'Das Konto darf diese Anwendung nicht benutzen.',
    team_not_found: 'Dieses Team gibt es nicht. Vielleicht wurde es inzwischen gelöscht.',
    docs_not_found: 'Eine solche Dokumentation gibt es hier nicht.',
    admin_page_not_found: 'Diese Seite wurde inzwischen erneuert.',
    account_exists: 'Ein Konto mit diesem Benutzernamen gibt es schon. Wählen Sie einen anderen.',
    team_exists: 'Ein Team mit diesem Kurznamen gibt es schon. Wählen Sie einen anderen.',
    team_in_use:
      'Dieses Team hat noch Mitglieder. Entfernen Sie diese zuerst, oder wählen Sie das Team, in das sie wechseln.',
    team_limit: 'Das Konto hat die größte Anzahl von Teams erreicht. Entfernen Sie zuerst eines.',
    role_limit: 'Das Konto hat die größte Anzahl von Rollen erreicht. Entfernen Sie zuerst eine.',
    app_limit: 'Das Konto hat die größte Anzahl von Anwendungen erreicht. Entfernen Sie zuerst eine.',
    token_exists: 'Das Konto hat schon ein API-Token mit diesem Namen. Wählen Sie einen anderen Namen.',
    token_rotated: 'Eine andere Person hat dieses API-Token inzwischen erneuert oder gelöscht.',
    token_limit: 'Das Konto hat die größte Anzahl von API-Tokens erreicht. Löschen Sie zuerst eines.',
    token_deleted: 'Dieses API-Token wurde inzwischen gelöscht oder hat ein anderes Geheimnis.',
    trust_exists:
      'Die Maschine hat schon eine Vertrauensregel mit diesem Namen. Wählen Sie einen anderen Namen.',
    trust_limit: 'Die Maschine hat die größte Anzahl von Vertrauensregeln erreicht. Löschen Sie zuerst eine.',
    machine_account: 'Das ist ein Maschinenkonto, für das es das nicht gibt.',
    person_account: 'Das ist das Konto einer Person: Nur Maschinen haben Vertrauensregeln.',
    passkey_exists: 'Das Konto hat diesen Passkey schon, oder einen mit diesem Namen.',
    passkey_limit: 'Das Konto hat die größte Anzahl von Passkeys erreicht. Entfernen Sie zuerst einen.',
    account_erased: 'Ein Konto mit diesem Benutzernamen wurde endgültig gelöscht. Wählen Sie einen anderen.',
    account_active: 'Das Konto ist nicht gekündigt. Kündigen Sie es zuerst.',
    account_cancelled_recently:
      'Das Konto wurde erst vor Kurzem gekündigt und kann noch nicht gelöscht werden.',
    account_cancelled: 'Das Konto ist gekündigt. Reaktivieren Sie es zuerst.',
    account_locked: 'Das Konto ist gesperrt. Entsperren Sie es zuerst.',
    self_target: 'Mit dem eigenen Konto geht das nicht.',
    last_administrator:
      'Dann könnte sich kein Administrator mehr anmelden. Geben Sie die Rolle zuerst einer anderen Person.',
    precondition_failed:
      'Eine andere Person hat das inzwischen geändert. Laden Sie die Seite neu, um die Änderung zu sehen: Ihre Eingaben bleiben erhalten.',
    payload_too_large: 'Das ist mehr, als der Dienst auf einmal annimmt.',
    unsupported_media_type: 'Der Dienst kann das nicht lesen.',
    too_complex: 'Das dauert dem Dienst zu lange. Kürzen Sie es.',
    idempotency_key_reused:
      'Das wurde schon mit anderen Werten gesendet. Laden Sie die Seite neu, und prüfen Sie, was geschehen ist.',
    too_many_requests: 'Zu viele Versuche.',
    internal:
      'Im Dienst ist etwas schiefgegangen. Versuchen Sie es noch einmal, und fragen Sie sonst den Betrieb.',
    unavailable: 'Der Dienst ist gerade nicht erreichbar. Versuchen Sie es noch einmal.',
    not_found:
      'Der Dienst kennt diese Anfrage nicht. Vielleicht wurde die Seite erneuert: Laden Sie sie neu.',
    network_error: 'Es kam keine Antwort. Prüfen Sie Ihre Verbindung.',
    unexpected_answer: 'Die Antwort kam nicht vom Dienst. Prüfen Sie Ihre Verbindung.',
  },
  other: () => 'Der Dienst hat das abgelehnt.',
  fault: (field, fault) => `${field}: ${fault}.`,
  wait: {
    seconds: (n) => `Warten Sie ${n} ${n === 1 ? 'Sekunde' : 'Sekunden'}.`,
    minutes: (n) => `Warten Sie ${n} ${n === 1 ? 'Minute' : 'Minuten'}.`,
    hours: (n) => `Warten Sie ${n} ${n === 1 ? 'Stunde' : 'Stunden'}.`,
  },
  unknownOutcome: 'Prüfen Sie, was geschehen ist, bevor Sie es noch einmal versuchen.',
  updated: 'Diese Seite wurde inzwischen erneuert. Laden Sie sie neu: Ihre Eingaben bleiben erhalten.',
  broken: 'Auf dieser Seite ist etwas schiefgegangen. Laden Sie sie neu, und fragen Sie sonst den Betrieb.',
  withoutPasskey:
    'Nicht ausgeführt: Es muss mit einem Passkey bestätigt werden, und Sie haben keinen. Erstellen Sie einen, und versuchen Sie es dann noch einmal:',
  yourPasskeys: 'Ihre Passkeys (neuer Tab)',
  reload: 'Neu laden',
  retry: 'Noch einmal versuchen',
  details: 'Einzelheiten',
  request: (id) => `Anfrage ${id}`,
  copy: 'Kopieren',
};
