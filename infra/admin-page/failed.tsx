import { useState } from 'preact/hooks';
import { CoreAccountError } from '#lib/client/index';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { hrefTo } from './place.ts';

interface FailedProps {
  readonly error: unknown;
  /** Whether a field shows its own fault. */
  readonly isShown?: (field: string) => boolean;
  /** Replaces the text for credentials that are not valid. */
  readonly refusal?: string | undefined;
  /** Repeats the action, if it may succeed the next time. */
  readonly retry?: () => void;
}

/** What a person sees of a failure: the faults that have no field of their own, else the text of the service. */
export function textOf(
  error: CoreAccountError,
  { isShown, refusal }: Omit<FailedProps, 'error'> = {},
): string {
  const { operation, code, errors, retryAfter } = error;
  const faults = errors.map(({ field, message }) => `${field}: ${message}.`);
  const general = error.message
    .slice(`${operation}: ${code}. `.length)
    .replace(faults.map((fault) => ` ${fault}`).join(''), '');
  const others = faults.filter((_, index) => !isShown?.(errors[index]?.field ?? ''));
  // Its text says only that there are faults.
  const text = code === 'invalid_request' && faults.length > 0 ? '' : general || code;
  return [
    (code === 'invalid_credentials' && refusal) || text,
    ...others,
    retryAfter ? `Wait ${retryAfter} seconds.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Copies what support needs: the text, the code and the ID of the request. */
function CopyDetails({ of }: { readonly of: string }) {
  const [label, setLabel] = useState('Copy details');
  const copy = () =>
    navigator.clipboard.writeText(of).then(
      () => setLabel('Copied'),
      () => setLabel(of),
    );
  return (
    <Button class="quiet" onClick={copy}>
      <Icon of="copy" />
      {/* Without the role of a status, whose text names no button. */}
      <span aria-live="polite">{label}</span>
    </Button>
  );
}

/** A change that no passkey has confirmed; without one, the link leaves what was typed as it is. */
const Unconfirmed = ({ isWithout }: { readonly isWithout: boolean }) => (
  <div role="alert" class="error">
    {isWithout ? (
      <div>
        Not done: it has to be confirmed with a passkey, and you have none. Create one, then try again:{' '}
        <a href={hrefTo('me', { part: 'passkeys' })} target="_blank" rel="noopener">
          your passkeys (new tab)
        </a>
      </div>
    ) : (
      <div>Not done: it has to be confirmed with a passkey.</div>
    )}
  </div>
);

/**
 * A failure: a text for people, and its details to copy; nothing if each fault is shown by its field. A wrong password
 * has no details: no one else can help.
 */
export function Failed({ error, retry, ...rest }: FailedProps) {
  if (!(error instanceof CoreAccountError)) return <p role="alert" class="error">{`${error}`}</p>;
  const { code, status, requestId } = error;
  if (code === 'step_up_required') return <Unconfirmed isWithout={error.errors[0]?.field === 'passkey'} />;
  const text = textOf(error, rest);
  if (!text) return null;
  return (
    <div role="alert" class="error">
      <div>{text}</div>
      <span class="row">
        {retry && (status === 0 || status === 429 || status >= 500) && (
          <Button onClick={retry}>Try again</Button>
        )}
        {requestId && code !== 'invalid_credentials' && (
          <CopyDetails of={`${text}\nCode ${code}\nRequest ${requestId}`} />
        )}
      </span>
    </div>
  );
}
