import type { ComponentChildren } from 'preact';
import { type Said, said } from '../../said.ts';

export const entrance = {
  username: 'Username',
  password: 'Password',
  newPassword: 'New password',
  newPasswordHint: (least: number) =>
    `At least ${least} characters. Long beats complicated: several words are easy to remember and hard to guess.`,
  logIn: 'Log in',
  refused: 'The username or password is not valid.',
  unknownPasskey: 'This passkey was not accepted. Log in with your password.',
  logInWithPasskey: 'Log in with a passkey',
  logInAtLocalhost: 'Log in with a passkey at localhost',
  logInAgain: 'Log in again',
  firstPasskey:
    'Your first passkey needs a login with your password in the last five minutes. Your input is kept.',
  confirm: 'Confirm with your passkey',
  usePasskey: 'Use passkey',
  passkeyRefused: 'This passkey was not accepted. Use another one, or ask an administrator to remove it.',
  confirmText:
    'Show with your fingerprint, face or PIN that it is you. The page asks again after five minutes. Your input is kept.',
  lostDevice: 'Is its device lost? Another administrator removes the passkey; then create a new one.',
  atAddress: (host: string, link: Said) =>
    said`Passkeys work at a name, not at the address ${host}. Use ${link}.`,
  thisPageAtLocalhost: 'this page at localhost',
  passwordSet: 'Your password is set, and you are logged in.',
  passwordSetNext: ' From now on, log in to your applications with it. You can close this page.',
  setPassword: 'Set your password',
  setPasswordAndLogIn: 'Set password and log in',
  codeRefused: 'The username or code is not valid. A code works once, and for a limited time.',
  code: 'One-time code',
  codeHint: 'In the form XXXX-XXXX-XXXX. It works once.',
  toPassword: 'Log in with a password',
  toCode: 'Use a one-time code',
  ended: 'Your session has ended',
  endedText: 'Log in again to continue. Your input is kept.',
  leave: 'Leave, and log in as another person',
  changeText: 'All of your other sessions end. API tokens stay valid.',
  changePassword: 'Change password',
  currentPassword: 'Current password',
  currentRefused: 'The current password is not valid.',
  changed: 'Your password is changed, and all of your other sessions have ended',
  newest: (name: Said, time: Said, link: (text: string) => ComponentChildren) =>
    said`A passkey ${name} was added to your account ${time}. If it was not you, ask an administrator at once for a one-time code that ends all passkeys, or ${link('remove it')} and change your password.`,
  known: 'It was me',
  noPasskeys: 'This browser has no passkeys. Use a current one.',
  notUsed: 'Your passkey was not used: it was cancelled, or it took too long.',
  notHere: 'Passkeys do not work at this address.',
  notUsable: 'Your browser or password manager could not use the passkey. Try again, or use another one.',
  alreadyThere: 'This device already has a passkey of your account.',
  notCreated:
    'Your browser or password manager could not create the passkey. Try again, or choose another place for it.',
  logOut: 'Log out',
  logOutAsk: 'Log out of this browser?',
  logOutText: 'Your other sessions stay open.',
  logOutDrafts: 'What you have typed and not sent is discarded.',
};
