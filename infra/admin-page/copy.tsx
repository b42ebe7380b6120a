import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** A button that copies a text. */
export function Copy({ of, label }: Record<'of' | 'label', string>) {
  const [shown, setShown] = useState(label);
  const copy = () =>
    navigator.clipboard.writeText(of).then(
      () => setShown('Copied'),
      () => setShown('The browser cannot copy it: select the texts above.'),
    );
  return (
    <Button onClick={copy}>
      <Icon of="copy" />
      <span aria-live="polite">{shown}</span>
    </Button>
  );
}
