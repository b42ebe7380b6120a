import { useState } from 'preact/hooks';
import { forms as t } from '#texts/forms';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** A button that copies a text. */
export function Copy({ of, label }: Record<'of' | 'label', string>) {
  const [shown, setShown] = useState(label);
  const copy = () =>
    navigator.clipboard.writeText(of).then(
      () => setShown(t.copied),
      () => setShown(t.copyRefused),
    );
  return (
    <Button onClick={copy}>
      <Icon of="copy" />
      <span aria-live="polite" class="steady" data-widest={label}>
        {shown}
      </span>
    </Button>
  );
}
