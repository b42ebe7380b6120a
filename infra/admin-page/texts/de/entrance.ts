import { said } from '../../said.ts';
import type * as en from '../en/entrance.ts';

export const entrance: typeof en.entrance = {
  username: 'Benutzername',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  newPasswordHint: (least) =>
    `Mindestens ${least} Zeichen. Lang ist besser als kompliziert: Mehrere Wörter sind leicht zu merken und schwer zu erraten.`,
  logIn: 'Anmelden',
  refused: 'Benutzername oder Passwort ist nicht gültig.',
  unknownPasskey: 'Dieser Passkey wurde nicht angenommen. Melden Sie sich mit Ihrem Passwort an.',
  logInWithPasskey: 'Mit einem Passkey anmelden',
  logInAtLocalhost: 'Mit einem Passkey unter localhost anmelden',
  logInAgain: 'Erneut anmelden',
  firstPasskey:
    'Für Ihren ersten Passkey müssen Sie sich in den letzten fünf Minuten mit Ihrem Passwort angemeldet haben. Ihre Eingaben bleiben erhalten.',
  confirm: 'Mit Ihrem Passkey bestätigen',
  usePasskey: 'Passkey benutzen',
  passkeyRefused:
    'Dieser Passkey wurde nicht angenommen. Benutzen Sie einen anderen, oder lassen Sie ihn von einem Administrator entfernen.',
  confirmText:
    'Zeigen Sie mit Fingerabdruck, Gesicht oder PIN, dass Sie es sind. Nach fünf Minuten fragt die Seite erneut. Ihre Eingaben bleiben erhalten.',
  lostDevice:
    'Ist das Gerät verloren? Ein anderer Administrator entfernt den Passkey. Erstellen Sie dann einen neuen.',
  atAddress: (host, link) =>
    said`Passkeys gelten unter einem Namen, nicht unter der Adresse ${host}. Öffnen Sie ${link}.`,
  thisPageAtLocalhost: 'diese Seite unter localhost',
  passwordSet: 'Ihr Passwort ist festgelegt, und Sie sind angemeldet.',
  passwordSetNext:
    ' Melden Sie sich ab jetzt damit bei Ihren Anwendungen an. Sie können diese Seite schließen.',
  setPassword: 'Passwort festlegen',
  setPasswordAndLogIn: 'Passwort festlegen und anmelden',
  codeRefused: 'Benutzername oder Code ist nicht gültig. Ein Code gilt einmal und nur für begrenzte Zeit.',
  code: 'Einmalcode',
  codeHint: 'In der Form XXXX-XXXX-XXXX. Er gilt einmal.',
  toPassword: 'Mit einem Passwort anmelden',
  toCode: 'Einmalcode benutzen',
  ended: 'Ihre Sitzung ist beendet',
  endedText: 'Melden Sie sich erneut an, um fortzufahren. Ihre Eingaben bleiben erhalten.',
  leave: 'Verlassen und als andere Person anmelden',
  changeText: 'Alle Ihre anderen Sitzungen enden. API-Tokens bleiben gültig.',
  changePassword: 'Passwort ändern',
  currentPassword: 'Jetziges Passwort',
  currentRefused: 'Das jetzige Passwort ist nicht gültig.',
  changed: 'Ihr Passwort ist geändert, und alle Ihre anderen Sitzungen sind beendet',
  newest: (name, time, link) =>
    said`Ein Passkey ${name} wurde ${time} zu Ihrem Konto hinzugefügt. Wenn Sie das nicht waren, bitten Sie sofort einen Administrator um einen Einmalcode, der alle Passkeys beendet, oder ${link('entfernen Sie ihn')} und ändern Sie Ihr Passwort.`,
  known: 'Das war ich',
  noPasskeys: 'Dieser Browser kennt keine Passkeys. Benutzen Sie einen aktuellen.',
  notUsed: 'Ihr Passkey wurde nicht benutzt: Es wurde abgebrochen oder dauerte zu lange.',
  notHere: 'Passkeys gelten unter dieser Adresse nicht.',
  notUsable:
    'Ihr Browser oder Passwortmanager konnte den Passkey nicht benutzen. Versuchen Sie es noch einmal, oder benutzen Sie einen anderen.',
  alreadyThere: 'Dieses Gerät hat schon einen Passkey Ihres Kontos.',
  notCreated:
    'Ihr Browser oder Passwortmanager konnte den Passkey nicht erstellen. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Ort dafür.',
  logOut: 'Abmelden',
  logOutAsk: 'In diesem Browser abmelden?',
  logOutText: 'Ihre anderen Sitzungen bleiben offen.',
  logOutDrafts: 'Was Sie eingegeben und nicht gesendet haben, wird verworfen.',
};
