import { CoreAccountError } from '#lib/client/index';
import { failures as t } from '#texts/failures';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import { faultText, fieldName, knownFault } from './faults.ts';
import { PasskeyFailure } from './passkey.ts';
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

/** A time to wait in words: in minutes from 90 seconds on. */
function waitOf(seconds: number): string {
  if (seconds <= 90) return t.wait.seconds(seconds);
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? t.wait.minutes(minutes) : t.wait.hours(Math.ceil(minutes / 60));
}

/** The sentence of a code, or of a code that only a newer service has. */
function sentenceOf({ operation, code, message }: CoreAccountError): string {
  if (Object.hasOwn(t.of, code)) return t.of[code as keyof typeof t.of];
  return t.other(message.slice(`${operation}: ${code}. `.length));
}

/** What a person reads of a failure: the faults that have no field of their own, else the sentence of its code. */
export function textOf(
  error: CoreAccountError,
  { isShown, refusal }: Omit<FailedProps, 'error'> = {},
): string {
  const { code, errors, retryAfter } = error;
  if (code === 'invalid_credentials' && refusal) return refusal;
  const others = errors.filter(({ field }) => !isShown?.(field));
  const reasons = others.flatMap(({ field, message }) => {
    if (code === 'forbidden') return knownFault(message) ?? [];
    const name = fieldName(field);
    return name === undefined ? [] : t.fault(name, faultText(message)).replace(/\.$/, '');
  });
  // Its sentence says only that there are faults, or that something is not permitted.
  const isSaid =
    code === 'forbidden' ? reasons.length > 0 : errors.length > 0 && reasons.length === others.length;
  const sentence = (code === 'invalid_request' || code === 'forbidden') && isSaid ? '' : sentenceOf(error);
  const ends = [...new Set(reasons)].map((reason) => (/[.?!]$/.test(reason) ? reason : `${reason}.`));
  return [sentence, ...ends, retryAfter ? waitOf(retryAfter) : ''].filter(Boolean).join(' ');
}

/** What support needs, for those who open it, with a button that copies it. */
export const Details = ({ text, of }: { readonly text: string; readonly of: readonly string[] }) => (
  <details class="small">
    <summary>{t.details}</summary>
    {of.map((line) => (
      <samp key={line}>
        <bdi>{line}</bdi>
      </samp>
    ))}
    <Copy label={t.copy} of={[text, ...of].join('\n')} />
  </details>
);

/** A change that no passkey has confirmed; without one, the link leaves what was typed as it is. */
const Unconfirmed = ({ isWithout }: { readonly isWithout: boolean }) => (
  <div role="alert" class="error">
    {isWithout ? (
      <div>
        {t.withoutPasskey}{' '}
        <a href={hrefTo('me', { part: 'passkeys' })} target="_blank" rel="noopener">
          {t.yourPasskeys}
        </a>
      </div>
    ) : (
      <div>{t.of.step_up_required}</div>
    )}
  </div>
);

/** Loads the page again; drafts stay. */
const Reload = () => <Button onClick={() => location.reload()}>{t.reload}</Button>;

/** Whether a script of the page is no longer there: browsers have no other sign of it. */
const isOutdated = (error: unknown) =>
  error instanceof TypeError && /dynamically imported module|module script failed/i.test(error.message);

/** A failure without an answer of the service: of the browser, of this page, or a text for people. */
function Broken({ error }: Pick<FailedProps, 'error'>) {
  const isTold = typeof error === 'string' || error instanceof PasskeyFailure;
  const text = isTold ? `${error}` : isOutdated(error) ? t.updated : t.broken;
  return (
    <div role="alert" class="error">
      <div>{text}</div>
      {!isTold && (
        <>
          <Reload />
          {!isOutdated(error) && <Details text={text} of={[`${error}`]} />}
        </>
      )}
    </div>
  );
}

/** Codes after which the page has to be loaded again. */
const OUTDATED = ['precondition_failed', 'not_found', 'admin_page_not_found', 'idempotency_key_reused'];

/**
 * A failure: a sentence for people, and its details for support; nothing if each fault is shown by its field. A wrong
 * password has no details: no one else can help.
 */
export function Failed({ error, retry, ...rest }: FailedProps) {
  if (!(error instanceof CoreAccountError)) return <Broken error={error} />;
  const { code, status, requestId, message } = error;
  if (code === 'step_up_required') return <Unconfirmed isWithout={error.errors[0]?.field === 'passkey'} />;
  const said = textOf(error, rest);
  if (!said) return null;
  const text = code === 'network_error' && !retry ? `${said} ${t.unknownOutcome}` : said;
  const canRetry = retry && (status === 0 || status === 429 || status >= 500);
  return (
    <div role="alert" class="error">
      <div>{text}</div>
      {canRetry && <Button onClick={retry}>{t.retry}</Button>}
      {OUTDATED.includes(code) && <Reload />}
      {code !== 'invalid_credentials' && code !== 'network_error' && (
        <Details text={text} of={[message, ...(requestId ? [t.request(requestId)] : [])]} />
      )}
    </div>
  );
}
