import { h } from 'preact';
import { expect, test } from 'vitest';
import { Form } from '../../../infra/admin-page/form.tsx';
import { Picker } from '../../../infra/admin-page/picker.tsx';
import { all, field, fill, press, settle, show, texts } from './opened.ts';

const KNOWN = [{ value: 'editor' }, { value: 'auditor', note: 'Reads the audit' }, { value: 'clerk' }];

/** Shows a picker in a form, with what the form sends. */
async function open(props: Partial<Parameters<typeof Picker>[0]> = {}) {
  const sent: unknown[] = [];
  const picker = h(Picker, { label: 'Roles', name: 'roles', known: KNOWN, creates: 'role', ...props });
  const onSubmit = async (fields: unknown) => void sent.push(fields);
  show(h(Form, { submit: 'Save', onSubmit, children: picker }));
  await settle();
  return sent;
}

async function key(name: string) {
  const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true });
  field('Roles').dispatchEvent(event);
  await settle();
  return event.defaultPrevented;
}

const selected = () => texts('[role=option][aria-selected=true]');

test('a picker lists the known names that match, and Enter picks the first one', async () => {
  const sent = await open();
  expect(all('[role=listbox]')).toEqual([]);
  await fill({ Roles: 'ED' });
  expect(texts('[role=option] bdi')).toEqual(['editor', 'Create the role “ED”']);
  expect(await key('Enter')).toBe(true);
  expect([texts('.chip'), field('Roles').value, all('[role=listbox]')]).toEqual([['editor'], '', []]);
  await press('Save');
  expect(sent).toEqual([{ roles: 'editor' }]);
});

test('arrows move in the list and wrap, and the field names the active entry', async () => {
  await open();
  await key('ArrowDown');
  expect(selected()).toEqual(['editor']);
  await key('ArrowUp');
  expect(selected()).toEqual(['clerk']);
  const active = field('Roles').getAttribute('aria-activedescendant');
  expect(document.getElementById(`${active}`)?.textContent).toBe('clerk');
  await key('ArrowDown');
  await key('ArrowDown');
  expect(selected()).toEqual(['auditorReads the audit']);
});

test('Escape closes the list first, and is left to the dialog when the list is closed', async () => {
  await open();
  await key('ArrowDown');
  expect([await key('Escape'), field('Roles').getAttribute('aria-expanded')]).toEqual([true, 'false']);
  expect(await key('Escape')).toBe(false);
});

test('a new name is announced as new before it is picked and afterwards', async () => {
  const sent = await open();
  await fill({ Roles: 'pilot' });
  expect(texts('[role=option]')).toEqual([
    'Create the role “pilot”New: it is not among the names in use. Check its spelling.',
  ]);
  await key('Enter');
  expect(texts('.chip')).toEqual(['pilot (new role)']);
  await press('Save');
  expect(sent).toEqual([{ roles: 'pilot' }]);
});

test.each([['clerk'], ['of two'], ['']])('a picker offers to create no name for %j', async (text) => {
  await open();
  await fill({ Roles: text });
  expect(texts('[role=option]').filter((option) => option.includes('Create'))).toEqual([]);
});

test('a picker of known names only creates none', async () => {
  await open({ creates: undefined } as object);
  await fill({ Roles: 'pilot' });
  expect([texts('[role=option]'), texts('.popup')]).toEqual([[], ['No roles match “pilot”.']]);
  expect([await key('Enter'), texts('.chip')]).toEqual([true, []]);
});

test('a picked name is removed by its button, and listed again', async () => {
  const sent = await open({ now: ['editor', 'clerk'] });
  await press('Remove editor');
  await key('ArrowDown');
  expect([texts('.chip'), texts('[role=option] bdi')]).toEqual([['clerk'], ['editor', 'auditor']]);
  await press('Save');
  expect(sent).toEqual([{ roles: 'clerk' }]);
});

test('a form with a name that is typed and not picked is not valid', async () => {
  await open();
  await fill({ Roles: 'edi' });
  expect(field('Roles').getAttribute('pattern')).toBe('(?!)');
});

test('a picker finds a name by its sentence, and lists no more than 50', async () => {
  const many = Array.from({ length: 60 }, (_, n) => ({ value: `role-${n}` }));
  await open({ known: [...many, { value: 'auditor', note: 'Reads the audit' }] });
  await fill({ Roles: 'READS' });
  expect(texts('[role=option] bdi')).toEqual(['auditor', 'Create the role “READS”']);
  await fill({ Roles: '' });
  expect(all('[role=option]')).toHaveLength(50);
});
