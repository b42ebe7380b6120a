import { h } from 'preact';
import { expect, test } from 'vitest';
import { Act, type Action, Acts } from '../../../infra/admin-page/act.tsx';
import { Field } from '../../../infra/admin-page/form.tsx';
import { all, dialogs, field, fill, press, settle, show, texts } from './opened.ts';

/** Shows an action, with the end of each request and the number of times that the screen was loaded again. */
async function open(props: Partial<Action> = {}) {
  const sent: { resolve: (result?: unknown) => void; reject: (error: unknown) => void }[] = [];
  const loads: string[] = [];
  const run: Action['run'] = (_, { signal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    signal?.addEventListener('abort', () => reject(signal.reason));
    sent.push({ resolve, reject });
    return promise;
  };
  show(h(Act, { label: 'Lock', run, after: () => loads.push('again'), ...props }));
  await settle();
  return { sent, loads };
}

const cancel = () => {
  all('dialog')
    .at(-1)
    ?.dispatchEvent(new Event('cancel', { cancelable: true }));
  return settle();
};

test('an action describes its change first, and sends nothing before it is confirmed', async () => {
  const { sent, loads } = await open({ on: 'ada', text: 'It is locked.' });
  await press('Lock');
  expect([dialogs(), texts('dialog p'), sent]).toEqual([['Lock: ada'], ['It is locked.'], []]);
  await press('Back');
  expect([dialogs(), sent, loads]).toEqual([[], [], []]);
});

test('an action closes its dialog and loads the screen again once after a success', async () => {
  const { sent, loads } = await open();
  await press('Lock');
  await press('Lock');
  expect([sent.length, loads.length]).toEqual([1, 0]);
  sent[0]?.resolve();
  await settle();
  expect([dialogs(), loads.length]).toEqual([[], 1]);
  await press('Lock');
  await press('Back');
  expect(loads).toHaveLength(1);
});

test('an action keeps its dialog after a refusal, and loads the screen again when it is closed', async () => {
  const { sent, loads } = await open();
  await press('Lock');
  await press('Lock');
  sent[0]?.reject('Refused');
  await settle();
  expect([dialogs(), texts('[role=alert]'), loads]).toEqual([['Lock'], ['Refused'], []]);
  await press('Back');
  expect([dialogs(), loads.length]).toEqual([[], 1]);
});

test('Escape closes the dialog of an action, ends its request, and loads the screen again', async () => {
  const { sent, loads } = await open();
  await press('Lock');
  await press('Lock');
  await cancel();
  expect([dialogs(), sent.length, loads.length]).toEqual([[], 1, 1]);
});

test('a late answer of an action that was left does not close its next dialog', async () => {
  let end = () => {};
  const { loads } = await open({
    run: () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  });
  await press('Lock');
  await press('Lock');
  await cancel();
  await press('Lock');
  end();
  await settle();
  expect([dialogs(), loads.length]).toEqual([['Lock'], 2]);
});

test('the page offers only the actions that are due', () => {
  const action = (label: string, isDue?: boolean) => ({
    label,
    run: async () => {},
    ...(isDue !== undefined && { isDue }),
  });
  show(h(Acts, { of: [action('Lock', true), action('Unlock', false), action('Cancel')] }));
  expect(texts('button')).toEqual(['Lock', 'Cancel']);
});

test('the title of an action is a question, with the username beside it', async () => {
  await open({ title: ['Lock ', h('bdi', {}, 'Ada King'), '?'], on: 'ada' });
  await press('Lock');
  expect([dialogs(), texts('dialog [type=submit]')]).toEqual([['Lock Ada King? ada'], ['Lock']]);
});

test('the dialog of an action keeps what was typed, for the same thing only', async () => {
  const children = h(Field, { label: 'Reason', name: 'reason' });
  await open({ children, on: 'ada' });
  await press('Lock');
  await fill({ Reason: 'On leave' });
  await press('Back');
  await press('Lock');
  expect([field('Reason').value, all('button', 'Discard').length]).toEqual(['On leave', 1]);
  await press('Back');
  await open({ children, on: 'eve' });
  await press('Lock');
  expect([field('Reason').value, all('button', 'Discard').length]).toEqual(['', 0]);
  await press('Back');
  await open({ children, title: ['Lock ', h('bdi', {}, 'Eve'), '?'] });
  await press('Lock');
  expect(field('Reason').value).toBe('');
});
