import { useEffect, useState } from 'preact/hooks';
import type { Account } from '#lib/client/index';
import { trimmed } from '#lib/text/trimmed';
import { search as t } from '#texts/search';
import { noteNamesOf, useNameOf } from './accounts/names.tsx';
import { nameOf } from './accounts/person.tsx';
import { Avatar } from './avatar.tsx';
import { Button } from './button.tsx';
import { Chip } from './chip.tsx';
import { type Choice, Combobox, UNPICKED } from './combobox.tsx';
import { Dialog } from './dialog.tsx';
import { Failed } from './failed.tsx';
import type { FieldProps } from './form.tsx';
import { Icon } from './icon.tsx';
import { go, hrefTo } from './place.ts';
import { fill, useQuery } from './query.ts';
import { client } from './session.ts';

/** Wait after the last keystroke, in milliseconds. */
const TYPING_MS = 150;

/** The most people in a list. */
const MOST = 8;

const choiceOf = (account: Account): Choice => ({
  value: account.username,
  text: nameOf(account) || account.username,
  note: nameOf(account) && <bdi>{account.username}</bdi>,
  before: <Avatar of={account} />,
});

/** Accounts whose username or name has a text, as entries of a list. */
function usePeople(text: string, kind?: Account['kind']) {
  const q = trimmed(text);
  const found = useQuery(
    async (signal) => {
      if (!q) return [];
      await new Promise((resolve) => setTimeout(resolve, TYPING_MS));
      signal.throwIfAborted();
      const { items } = await fill(
        client.account.browse({ q, ...(kind && { kind }), limit: MOST }, { signal }).pages(),
        MOST,
      );
      noteNamesOf(items);
      return items.slice(0, MOST).map(choiceOf);
    },
    [q],
  );
  const empty = !q ? t.typePart : found.isLoading ? t.searching : t.noOne;
  return { ...found, choices: q && found.error === undefined ? (found.data ?? []) : [], empty };
}

interface PeopleProps extends Pick<FieldProps, 'label' | 'name' | 'hint' | 'placeholder' | 'required'> {
  /** The username that is picked. */
  readonly value: string | undefined;
  /** Entries besides people, for a field without a text. */
  readonly others?: readonly Choice[] | undefined;
  /** Whether only people are found; by default machines, too. */
  readonly kind?: Account['kind'] | undefined;
  /** Called with the username, or without one when it is removed. */
  readonly onPick: (username?: string) => void;
}

/** A field that picks one person. */
export function People({ value, others = [], kind, onPick, ...rest }: PeopleProps) {
  const [text, setText] = useState('');
  const { choices, empty, isLoading } = usePeople(text, kind);
  const other = others.find((each) => each.value === value);
  const name = useNameOf(other ? '' : (value ?? ''));
  const pick = (username: string) => {
    setText('');
    onPick(username);
  };
  return (
    <>
      <Combobox
        placeholder={t.nameOrUsername}
        {...rest}
        {...UNPICKED}
        required={rest.required && !value}
        value={text}
        onType={setText}
        choices={trimmed(text) ? choices : others}
        isLoading={isLoading}
        onPick={pick}
        empty={empty}
        above={
          value && (
            <div class="row chips">
              <Chip of={`${other?.text ?? name}`} title={value} onRemove={() => onPick()} />
            </div>
          )
        }
      />
      <input type="hidden" name={rest.name} value={value ?? ''} />
    </>
  );
}

function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const { choices, empty, error, isLoading } = usePeople(text, 'person');
  const open = (username: string) => {
    onClose();
    go(hrefTo('account', { username }));
  };
  return (
    <Dialog title={t.findPerson} class="top" isLight onEscape={onClose}>
      <Combobox
        label={t.nameOrUsername}
        name="search"
        value={text}
        onType={setText}
        choices={choices}
        isLoading={isLoading}
        onPick={open}
        empty={!error && empty}
        isOpen
        autofocus
      />
      {error !== undefined && <Failed error={error} />}
    </Dialog>
  );
}

/** Inputs without a text. */
const TEXTLESS = ['checkbox', 'radio', 'file', 'button', 'submit'].map((type) => `[type=${type}]`).join(', ');

const isTyping = (target: EventTarget | null) =>
  (target as Element).matches?.(`input:not(${TEXTLESS}), textarea`);

/** Search of people from every screen, also by the key `/`. */
export function Search() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isCommand = event.ctrlKey || event.metaKey || event.altKey;
      if (event.key !== '/' || isCommand || isTyping(event.target) || document.querySelector('dialog'))
        return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <Button
        class="search"
        aria-label={t.findPerson}
        aria-haspopup="dialog"
        aria-keyshortcuts="/"
        onClick={() => setOpen(true)}
      >
        <Icon of="search" />
        <span>{t.findPerson}</span>
        <kbd>/</kbd>
      </Button>
      {isOpen && <SearchDialog onClose={() => setOpen(false)} />}
    </>
  );
}
