import { useState } from 'preact/hooks';
import { tokens as t } from '#texts/tokens';
import { Button } from '../button.tsx';
import { Field, type FieldProps, useDraft } from '../form.tsx';

/** Letters that have no mark to drop. */
const BASIC: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
};

/** A text as the service permits it in a name: `Backup laptop` is `backup-laptop`. Empty if nothing of it is permitted. */
export const suggestedName = (text: string, most = 128) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüßæœøłđ]/g, (letter) => `${BASIC[letter]}`)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, most)
    .replace(/-+$/, '');

/** Names of tokens, trusts and teams, as attributes of their fields. */
export const NAMED = {
  pattern: '[A-Za-z0-9][A-Za-z0-9._\\-]*',
  title: t.nameRule,
  spellcheck: false,
  autocomplete: 'off',
  autocapitalize: 'none',
} as const;

const VALID = new RegExp(`^${NAMED.pattern}$`);

/** A field for the name of a token or a trust, which has no spaces: it suggests what is permitted. */
export function NameField(props: Pick<FieldProps, 'name' | 'placeholder' | 'autofocus'>) {
  const [text, setText] = useState(useDraft(props.name) ?? '');
  const suggestion = VALID.test(text) ? '' : suggestedName(text);
  return (
    <Field
      label={t.name}
      required
      maxLength={128}
      {...NAMED}
      {...props}
      faultOf={() => t.nameRule}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
      below={
        text !== '' &&
        suggestion !== '' && (
          <p class="faint" role="status">
            {t.noSpaces}{' '}
            <Button class="quiet" onClick={() => setText(suggestion)}>
              {t.use(suggestion)}
            </Button>
          </p>
        )
      }
    />
  );
}
