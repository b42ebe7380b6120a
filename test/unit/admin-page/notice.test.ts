import { h } from 'preact';
import { beforeEach, expect, test, vi } from 'vitest';
import { collect, Notices, notify, type Undo } from '../../../infra/admin-page/notice.tsx';
import { go } from '../../../infra/admin-page/place.ts';
import { all, dialogs, press, settle, show, texts } from './opened.ts';

beforeEach(async () => {
  show(h(Notices, {}));
  await settle();
});

const done = (message: string) => ({ done: { message, requestId: `of ${message}` } });
const shown = (title: string) => ({ ...done(title), shown: { title, children: `secret of ${title}` } });

/** Reports outcomes one after the other. */
async function report(...outcomes: Parameters<typeof notify>[0][]) {
  for (const outcome of outcomes) notify(outcome);
  await settle();
}

test('the page shows the newest answer without its request ID, until it is dismissed', async () => {
  await report(done('Locked'), done('Unlocked'));
  expect(texts('.notice')).toEqual(['Unlocked.']);
  await press('Dismiss');
  expect(all('.notice')).toEqual([]);
});

test.each([
  ['Team Created', 'Team created'],
  ['Account Unlocked', 'Account unlocked'],
  ['API Token Created', 'API token created'],
])('the title %j of the service is the sentence %j', (title, sentence) => {
  const { done, options } = collect();
  options.onMessage?.(title);
  expect(done.message).toBe(sentence);
});

test('an answer offers to take back its change once, and the answer to that replaces it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let runs = 0;
  const run: Undo['run'] = ({ onMessage }) => {
    runs++;
    return promise.then(() => onMessage?.('Unlocked'));
  };
  await report({ ...done('Locked'), undo: { label: 'Unlock', run } });
  await press('Unlock');
  await press('Unlock');
  expect([runs, texts('.notice span')]).toEqual([1, ['Locked.']]);
  resolve();
  await settle();
  expect([texts('.notice span'), all('button', 'Unlock')]).toEqual([['Unlocked.'], []]);
});

test('a change that cannot be taken back shows why', async () => {
  await report({ ...done('Locked'), undo: { label: 'Unlock', run: () => Promise.reject('Refused') } });
  await press('Unlock');
  expect([texts('.notice'), texts('[role=alert]')]).toEqual([[], ['Refused']]);
});

test('the page shows a failure instead of an earlier answer', async () => {
  await report(done('Locked'), { error: 'Stopped' });
  expect([texts('.notice'), texts('[role=alert]')]).toEqual([[], ['Stopped']]);
});

test('the page drops an answer when another screen is shown, not when the state of the screen changes', async () => {
  go('#accounts');
  await report(done('Locked'));
  go('#accounts?q=x');
  await settle();
  expect(all('.notice')).toHaveLength(1);
  go('#teams');
  await settle();
  expect(all('.notice')).toHaveLength(0);
});

test.each([
  ['person', '#account?username=eve&part=tokens'],
  ['part of a person', '#account?username=bob&part=access'],
])('the page drops an answer when another %s is shown', async (_what, address) => {
  go('#account?username=bob&part=tokens');
  await settle();
  await report(done('Locked'));
  go('#account?username=bob&part=tokens&tokens=next');
  await settle();
  expect(all('.notice')).toHaveLength(1);
  go(address);
  await settle();
  expect(all('.notice')).toHaveLength(0);
});

test('an answer with an undo stays on the list of people, and leaves at another person', async () => {
  go('#account?username=bob');
  await settle();
  await report({
    ...done('Locked'),
    undo: { label: 'Unlock', run: async () => {}, done: 'bob is unlocked' },
  });
  go('#accounts');
  await settle();
  expect(all('button', 'Unlock')).toHaveLength(1);
  go('#account?username=eve');
  await settle();
  expect(all('.notice')).toHaveLength(0);
});

test('the answer to an undo has its own text', async () => {
  await report({
    ...done('Locked'),
    undo: { label: 'Unlock', run: async () => {}, done: 'bob is unlocked' },
  });
  await press('Unlock');
  expect(texts('.notice span')).toEqual(['bob is unlocked.']);
});

test('a secret stays in front of later answers and other screens until it is closed', async () => {
  await report(shown('Code'), done('Locked'), { error: 'Stopped' });
  go('#teams');
  await settle();
  expect([dialogs(), texts('dialog .notice span')]).toEqual([['Code'], ['Code.']]);
  expect(document.body.textContent).toContain('secret of Code');
  all('button', 'Close')[0]?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
  await settle();
  expect(dialogs()).toEqual(['Code']);
  await press('Close');
  expect(dialogs()).toEqual([]);
  expect(document.body.textContent).not.toContain('secret');
});

test('secrets are shown one after the other', async () => {
  await report(shown('Code'), shown('Token'));
  expect(dialogs()).toEqual(['Code']);
  await press('Close');
  expect(dialogs()).toEqual(['Token']);
  await press('Close');
  expect([dialogs(), texts('.notice span')]).toEqual([[], ['Token.']]);
});

test('the browser prompts before it leaves the page while a secret is shown', async () => {
  const isPrompted = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await report(done('Locked'));
  expect(isPrompted()).toBe(false);
  await report(shown('Code'));
  expect(isPrompted()).toBe(true);
  await press('Close');
  expect(isPrompted()).toBe(false);
});

test.each(['pointerup', 'pointercancel'])(
  'an answer waits while a pointer is pressed, so that nothing moves under it, until %s',
  async (event) => {
    dispatchEvent(new Event('pointerdown'));
    await report(done('Locked'));
    expect(all('.notice')).toEqual([]);
    dispatchEvent(new Event(event));
    await vi.waitFor(() => expect(texts('.notice')).toEqual(['Locked.']));
  },
);
