import { type Said, said } from '../../said.ts';

const accounts = (n: number) => (n === 1 ? 'account' : 'accounts');
const were = (n: number) => (n === 1 ? 'was' : 'were');

/** The changes of one account or of several at once. */
export const changes = {
  lock: {
    label: 'Lock',
    ask: (whom: Said, _number = 1) => said`Lock ${whom}?`,
    will: 'will be locked',
    effect:
      'No password and no token works. All sessions and an open one-time code end. An earlier lock is replaced.',
    did: (whom: Said, _number: number, _role: Said) => said`You locked ${whom}`,
    had: (n: number) => `${n} had this lock`,
    needless: '',
  },
  unlock: {
    label: 'Unlock',
    ask: (whom: Said, _number = 1) => said`Unlock ${whom}?`,
    will: 'will be unlocked',
    effect: 'Logins and API tokens are accepted again. Sessions and one-time codes stay ended.',
    did: (whom: Said, _number: number, _role: Said) => said`You unlocked ${whom}`,
    had: (n: number) => `${n} ${were(n)} not locked`,
    needless: 'is not locked',
  },
  cancel: {
    label: 'Cancel account',
    ask: (whom: Said, number = 1) => said`Cancel the ${accounts(number)} of ${whom}?`,
    will: 'will be cancelled',
    effect:
      'No password and no token works. All sessions and an open one-time code end, and applications may delete the data.',
    did: (whom: Said, number: number) => said`You cancelled the ${accounts(number)} of ${whom}`,
    had: (n: number) => `${n} ${were(n)} cancelled already`,
    needless: 'is cancelled already',
  },
  addRole: {
    label: 'Add a role',
    ask: (whom: Said, _number = 1) => said`Give ${whom} a role?`,
    will: 'gets the role',
    effect: '',
    did: (whom: Said, _number: number, role: Said) => said`You gave ${role} to ${whom}`,
    had: (n: number) => `${n} had it`,
    needless: 'has it already',
  },
  removeRole: {
    label: 'Remove a role',
    ask: (whom: Said, _number = 1) => said`Take a role from ${whom}?`,
    will: 'loses the role',
    effect: '',
    did: (whom: Said, _number: number, role: Said) => said`You took ${role} from ${whom}`,
    had: (n: number) => `${n} did not have it`,
    needless: 'does not have it',
  },
  undo: 'Undo',

  lockAgain: 'Lock again',
  isBack: (whom: Said) => said`The earlier lock of ${whom} is back.`,
  isLocked: (whom: Said) => said`${whom} is locked again.`,
  unlockedPerson: (whom: Said) =>
    said`${whom} is unlocked and can log in again; API tokens work. Without a password, create a one-time code.`,
  unlockedMachine: (whom: Said) => said`${whom} is unlocked and can sign in again; API tokens work.`,
  unlockedCancelled: (whom: Said) => said`${whom} is unlocked, and still cancelled.`,
  reason: 'Reason',
  reasonHint: 'Optional; administrators see it.',
  until: 'Until',
  untilUnlocked: 'an administrator unlocks it',
  otherTime: 'another time',
  time: 'Date and time',
  tomorrow: (clock: string) => `tomorrow ${clock}`,
  monday: (clock: string, isNext: boolean) => `${isNext ? 'next Monday' : 'Monday'} ${clock}`,
};
