import { cancel, reactivate } from './account/cancel.ts';
import { create as createAccount } from './account/create.ts';
import { erase } from './account/erase.ts';
import { exportOne } from './account/export.ts';
import { list as listAccounts } from './account/list.ts';
import { lock, lockout, unlock } from './account/lock.ts';
import { add, remove, toMachine } from './account/memberships.ts';
import * as passkeys from './account/passkeys.ts';
import { code, password, passwordCosts } from './account/password.ts';
import { resetStamp, resetStamps } from './account/reset-stamps.ts';
import { sessions } from './account/sessions.ts';
import { show } from './account/show.ts';
import { audit } from './audit.ts';
import { refillCommand } from './audit-refill.ts';
import type { Command } from './command.ts';
import { doctor } from './doctor.ts';
import * as events from './events.ts';
import { exportCommand, importCommand } from './import.ts';
import * as keys from './key-commands.ts';
import * as login from './login.ts';
import { adoptKey, check, eraseAgain } from './restore.ts';
import * as team from './team.ts';
import { create as createToken, rotate } from './token/create.ts';
import { list as listTokens } from './token/list.ts';
import { remove as deleteToken, revoke as revokeTokens } from './token/revoke.ts';
import { create as createTrust } from './trust/create.ts';
import { remove as deleteTrust } from './trust/delete.ts';
import { list as listTrusts } from './trust/list.ts';
import { tryToken } from './trust/try.ts';

/** Words of commands that others follow, with their descriptions. */
export const NOUNS: Readonly<Record<string, string>> = {
  account: 'accounts, their passwords and permissions',
  passkey: 'passkeys of accounts',
  login: 'source addresses that may not log in',
  team: 'teams of accounts',
  token: 'API tokens',
  trust: 'trusts, by which machines sign in with tokens of issuers',
  events: 'list, publish and resend events',
  keys: 'the keys that sign session tokens',
  audit: 'the audit log: lists it, and adds what it lacks',
  restore: 'restored tables, before and after their adoption',
};

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  createAccount,
  show,
  listAccounts,
  sessions,
  exportOne,
  password,
  code,
  resetStamp,
  resetStamps,
  passkeys.list,
  passkeys.remove,
  reactivate,
  lock,
  unlock,
  cancel,
  erase,
  lockout,
  passwordCosts,
  add,
  remove,
  toMachine,
  login.block,
  login.blocks,
  login.unblock,
  team.create,
  team.rename,
  team.remove,
  team.list,
  createToken,
  rotate,
  deleteToken,
  listTokens,
  revokeTokens,
  createTrust,
  listTrusts,
  deleteTrust,
  tryToken,
  events.pending,
  events.publish,
  events.replay,
  events.sample,
  events.send,
  keys.list,
  keys.rotate,
  keys.revoke,
  check,
  eraseAgain,
  adoptKey,
  audit,
  refillCommand,
  importCommand,
  exportCommand,
  doctor,
];
