import { h } from 'preact';
import { expect, onTestFinished, test, vi } from 'vitest';
import { draftOf, dropDraft, keepDraft, noteAuthor } from '../../../infra/admin-page/drafts.ts';
import {
  Field,
  type FieldProps,
  type Fields,
  Form,
  type FormProps,
} from '../../../infra/admin-page/form.tsx';
import { Notices } from '../../../infra/admin-page/notice.tsx';
import { Picker } from '../../../infra/admin-page/picker.tsx';
import { CoreAccountError, type RequestOptions } from '../../../lib/client/index.ts';
import { all, dialogs, field, fill, pick, press, settle, show, texts } from './opened.ts';

interface Sending {
  readonly fields: Fields;
  readonly options: RequestOptions;
  readonly resolve: (result?: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Shows a form, with what it sends. */
async function open(props: Partial<FormProps> = {}) {
  const sent: Sending[] = [];
  const onSubmit: FormProps['onSubmit'] = (fields, options) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
    sent.push({ fields, options, resolve, reject });
    return promise;
  };
  const children = [
    h(Field, { label: 'Name', name: 'name', defaultValue: 'ada' }),
    h(Field, { label: 'Kind', name: 'kind', options: { '': 'None', a: 'First' } }),
    h(Field, { label: 'Notes', name: 'notes', isLong: true }),
    h(Field, { label: 'Password', name: 'password', type: 'password', 'data-secret': true } as FieldProps),
  ];
  const draw = (isOpen: boolean) =>
    h('div', {}, h(Notices, {}), isOpen && h(Form, { submit: 'Save', children, onSubmit, ...props }));
  const next = show(draw(true));
  await settle();
  return { sent: sent as [Sending, Sending], leave: () => next(draw(false)) };
}

const refusal = (status: number, code: string, errors: { field: string; message: string }[] = []) =>
  new CoreAccountError('account.x', code, { status, message: 'The text.', errors, requestId: 'r-1' });

test('a form sends each of its fields with its present value', async () => {
  const { sent } = await open();
  await fill({ Name: ' Ada ', Kind: 'a', Notes: 'of\nlines', Password: 'secret' });
  await press('Save');
  expect(sent.map(({ fields }) => fields)).toEqual([
    { name: ' Ada ', kind: 'a', notes: 'of\nlines', password: 'secret' },
  ]);
});

test('a form sends untouched fields with their default values', async () => {
  const { sent } = await open();
  await press('Save');
  expect(sent[0].fields).toEqual({ name: 'ada', kind: '', notes: '', password: '' });
});

test('a form sends one request at a time, and none for the second click of a double click', async () => {
  const { sent } = await open();
  await press('Save', 2);
  expect(sent).toHaveLength(0);
  await press('Save');
  await press('Save');
  expect(sent).toHaveLength(1);
  sent[0].resolve();
  await settle();
  await press('Save');
  expect(sent).toHaveLength(2);
});

test('a form shows the answer, and forgets its secrets', async () => {
  const { sent } = await open();
  await fill({ Name: 'Ada', Password: 'secret' });
  await press('Save');
  sent[0].options.onHeaders?.(new Headers({ 'x-request-id': 'r-1' }));
  sent[0].options.onMessage?.('Saved');
  sent[0].resolve({ not: 'shown' });
  await settle();
  expect([texts('.notice'), dialogs()]).toEqual([['Saved.'], []]);
  expect([field('Name').value, field('Password').value]).toEqual(['Ada', '']);
});

test('a form shows an element that its request resolves to in a dialog', async () => {
  const { sent } = await open({ on: 'ada' });
  await press('Save');
  sent[0].resolve(h('b', {}, 'secret'));
  await settle();
  expect([dialogs(), texts('dialog b')]).toEqual([['Save: ada'], ['secret']]);
  await press('Close');
});

test('a field shows the faults of its property once, and other faults replace the general text', async () => {
  const { sent } = await open();
  await press('Save');
  sent[0].reject(
    refusal(400, 'invalid_request', [
      { field: 'user.name', message: 'Is too long' },
      { field: 'name', message: 'Is too long' },
      { field: 'name.0', message: 'Is odd' },
      { field: 'names', message: 'Is unknown' },
    ]),
  );
  await settle();
  expect(texts('.fault')).toEqual(['Is too long. Is odd. ', '', '', '']);
  expect(texts('[role=alert] div')).toEqual(['Some of this is not valid.']);
  expect(texts('[role=alert] details').join()).toContain('names: Is unknown.');
  expect(all('[aria-invalid]')).toEqual([field('Name')]);
  expect(document.activeElement).toBe(field('Name'));
});

test('a form drops its failure when it is sent again', async () => {
  const { sent } = await open();
  await press('Save');
  sent[0].reject(refusal(409, 'exists'));
  await settle();
  expect(all('[role=alert]')).toHaveLength(1);
  await press('Save');
  expect(all('[role=alert]')).toHaveLength(0);
});

test.each([
  [401, 'invalid_credentials'],
  [400, 'invalid_request'],
  [500, 'internal_error'],
])('a form keeps its input and its passwords when it is refused with %i', async (status, code) => {
  const { sent } = await open();
  await fill({ Name: 'Ada', Password: 'secret' });
  await press('Save');
  sent[0].reject(refusal(status, code));
  await settle();
  expect([field('Name').value, field('Password').value]).toEqual(['Ada', 'secret']);
});

test('a form selects the first secret to be typed again when the credentials are refused', async () => {
  const { sent } = await open();
  await fill({ Password: 'secret' });
  await press('Save');
  sent[0].reject(refusal(401, 'invalid_credentials'));
  await settle();
  const { selectionStart, selectionEnd } = field('Password');
  expect([document.activeElement, selectionStart, selectionEnd]).toEqual([field('Password'), 0, 6]);
});

const isMarked = () => all('button', 'Discard').length > 0;
const values = () => [
  field('Name').value,
  field('Kind').value,
  field('Notes').value,
  field('Password').value,
];

test('a form keeps what was typed as its draft, except secrets, until it is sent', async () => {
  const { leave } = await open({ draft: 'x' });
  expect(isMarked()).toBe(false);
  await fill({ Name: 'Ben', Kind: 'a', Password: 'secret' });
  leave();
  const { sent, leave: leaveAgain } = await open({ draft: 'x' });
  expect([values(), isMarked()]).toEqual([['Ben', 'a', '', ''], true]);
  expect(JSON.stringify(sessionStorage)).not.toContain('secret');
  await press('Save');
  sent[0].reject(refusal(409, 'exists'));
  await settle();
  expect([values(), isMarked()]).toEqual([['Ben', 'a', '', ''], true]);
  await press('Save');
  sent[1].resolve();
  await settle();
  expect([values(), isMarked()]).toEqual([['ada', '', '', ''], false]);
  leaveAgain();
  await open({ draft: 'x' });
  expect([values(), isMarked()]).toEqual([['ada', '', '', ''], false]);
});

test('a password that is shown is no part of a draft', async () => {
  const { leave } = await open({ draft: 'x' });
  await press('Show Password');
  await fill({ Name: 'Ben', Password: 'secret' });
  expect(draftOf('x')).toEqual({ name: 'Ben', kind: '', notes: '' });
  leave();
});

test('Discard empties a form with a draft, and focuses its first field', async () => {
  const { leave } = await open({ draft: 'x' });
  await fill({ Name: 'Ben' });
  leave();
  await open({ draft: 'x' });
  await press('Discard');
  expect([values(), isMarked(), draftOf('x')]).toEqual([['ada', '', '', ''], false, {}]);
  expect(document.activeElement).toBe(field('Name'));
});

test('a form whose values are as they were has no draft', async () => {
  const { leave } = await open({ draft: 'x' });
  await fill({ Name: 'Ben' });
  await fill({ Name: 'ada' });
  leave();
  await open({ draft: 'x' });
  expect(isMarked()).toBe(false);
});

test('forms have drafts of their own', async () => {
  const { leave } = await open({ draft: 'x' });
  await fill({ Name: 'Ben' });
  leave();
  await open({ draft: 'y' });
  expect([field('Name').value, isMarked()]).toEqual(['ada', false]);
});

test('the names of a picker are a part of the draft', async () => {
  const children = h(Picker, {
    label: 'Teams',
    name: 'teams',
    known: [{ value: 'sales' }, { value: 'law' }],
  });
  const { leave } = await open({ draft: 'x', children });
  await pick({ Teams: 'law' });
  leave();
  await open({ draft: 'x', children });
  expect(texts('.chip')).toEqual(['law']);
});

test('the drafts of another person go', async () => {
  noteAuthor('ada');
  keepDraft('x', { name: 'Ben' });
  noteAuthor('ada');
  expect(draftOf('x')).toEqual({ name: 'Ben' });
  noteAuthor('eve');
  expect(draftOf('x')).toEqual({});
});

test('a browser without storage keeps drafts until the page is left', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('sessionStorage', undefined);
  keepDraft('x', { name: 'Ben' });
  expect(draftOf('x')).toEqual({ name: 'Ben' });
  dropDraft('x');
  expect(draftOf('x')).toEqual({});
});

test('Stop ends the request, and the form reports an unknown outcome', async () => {
  const { sent } = await open();
  expect(all('button', 'Stop')).toEqual([]);
  await press('Save');
  await press('Stop');
  expect(sent[0].options.signal?.aborted).toBe(true);
  expect(texts('form [role=alert]')).toEqual([
    expect.stringContaining('You stopped waiting for the answer.'),
  ]);
  await press('Save');
  expect([sent.length, sent[1].options.signal?.aborted]).toEqual([2, false]);
});

test('a form that is left ends its request, and the page reports an unknown outcome', async () => {
  const { sent, leave } = await open();
  await press('Save');
  leave();
  await settle();
  expect(sent[0].options.signal?.aborted).toBe(true);
  expect(texts('[role=alert]')).toEqual([expect.stringContaining('You stopped waiting for the answer.')]);
});

test('a form that is left without a request reports nothing', async () => {
  const { leave } = await open();
  leave();
  await settle();
  expect(all('[role=alert]')).toEqual([]);
});

test('a password is shown on demand only', async () => {
  await open();
  expect(field('Password').type).toBe('password');
  await press('Show Password');
  expect(field('Password').type).toBe('text');
  await press('Show Password');
  expect(field('Password').type).toBe('password');
});

test.each([
  ['date', '9999-12-31'],
  ['datetime-local', '9999-12-31T23:59'],
  ['text', ''],
] as const)('a field of the type %s ends at %j', (type, max) => {
  show(h(Field, { label: 'When', name: 'when', type }));
  expect(field('When').max).toBe(max);
});

test('a fault of the service opens the part that its field is folded into', async () => {
  const { sent } = await open({ children: h('details', {}, h(Field, { label: 'Phone', name: 'phone' })) });
  await press('Save');
  sent[0].reject(refusal(400, 'invalid_request', [{ field: 'phone', message: 'Must be short' }]));
  await settle();
  expect([all('details[open]').length, document.activeElement]).toEqual([1, field('Phone')]);
});

test('a field that the browser refuses opens the part that it is folded into', async () => {
  await open({ children: h('details', {}, h(Field, { label: 'Phone', name: 'phone', required: true })) });
  field('Phone').dispatchEvent(new Event('invalid', { cancelable: true }));
  expect(all('details[open]')).toHaveLength(1);
});
