import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { SECRETS } from '#lib/account/file/columns';
import { imports as t } from '#texts/imports';
import { Button } from '../../button.tsx';
import { Form } from '../../form.tsx';
import type { Checked } from '../../import/check.ts';
import { COLUMNS, labelOf } from '../../import/columns.ts';
import { existingIn } from '../../import/existing.ts';
import { importFault } from '../../import/faults.ts';
import { hasFaults, type Line } from '../../import/line.ts';
import { begin, openFormer, sendable } from '../../import/run.ts';
import type { Column } from '../../listing.tsx';
import { number } from '../../locale.ts';
import { Promotion } from '../../memberships.tsx';
import { Hours, inviteOf, Lines } from '../../parts.tsx';
import { ADMINISTRATOR } from '../../session.ts';
import { When } from '../../time.tsx';
import { faultText, saveRejects } from './rejects.ts';
import { Rows } from './rows.tsx';

/** The properties that the lines set, in the order of the explanation. */
function propertiesOf(lines: readonly Line[]): string[] {
  const order: readonly string[] = COLUMNS.map(({ name }) => name);
  const found = new Set(['username']);
  for (const { value } of lines) for (const name of Object.keys(value)) found.add(name);
  const isKnown = (name: string) => order.includes(name);
  return [...order.filter((name) => found.has(name)), ...[...found].filter((name) => !isKnown(name))];
}

/** A value as the account will have it; a list of names by its parts. */
function shown(name: string, value: unknown): ComponentChildren {
  if (value === undefined || value === '' || SECRETS.includes(name)) return null;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (Array.isArray(value))
    return value.map((each, index) => [index > 0 && ', ', <bdi key={each}>{`${each}`}</bdi>]);
  return typeof value === 'object' ? <code>{JSON.stringify(value)}</code> : <bdi>{`${value}`}</bdi>;
}

const Faults = ({ of }: { of: readonly string[] }) =>
  of.map((text) => (
    <small key={text} class="fault">
      {text}
    </small>
  ));

/** The columns of a preview: the line with its own faults, then each property with those of its cell. */
function columnsOf(checked: Checked): Column<Line>[] {
  const names = propertiesOf(checked.lines);
  const isIn = (name: string, field: string) => field === name || field.startsWith(`${name}.`);
  const line: Column<Line> = {
    label: t.lineColumn,
    cell: ({ line: at, errors, ...rest }) => (
      <>
        {number(at)}
        {existingIn(checked, rest as Line) && <small class="faint">{t.exists}</small>}
        <Faults of={errors.filter(({ field }) => !names.some((name) => isIn(name, field))).map(faultText)} />
      </>
    ),
  };
  const cells = names.map((name): Column<Line> => {
    const cell = ({ value, errors }: Line) => {
      const faults = errors
        .filter(({ field }) => isIn(name, field))
        .map(({ message }) => importFault(message));
      return (
        <div class={faults.length > 0 ? 'faulty' : undefined}>
          {shown(name, (value as Readonly<Record<string, unknown>>)[name])}
          <Faults of={[...new Set(faults)]} />
        </div>
      );
    };
    return { label: labelOf(name), cell };
  });
  return [line, ...cells];
}

/** The faults of the columns, else those of the whole file: the latter list the names of all properties. */
function ofColumns(lines: readonly Line[]) {
  const all = lines.flatMap(({ line, errors }) =>
    errors.map(({ field, message }) => ({
      field: field || t.line(line),
      message,
      isOfColumn: field !== '',
    })),
  );
  return all.filter(({ isOfColumn }) => isOfColumn || !all.some((each) => each.isOfColumn));
}

/** What a person can look at. */
type Part = 'all' | 'faults' | 'existing';

/** What an import would create, with the faults in their cells, and the button that starts it. */
export function Preview({ checked, hours }: { readonly checked: Checked; readonly hours: number }) {
  const { lines, former } = checked;
  const again = openFormer(checked);
  const [part, setPart] = useState<Part>('all');
  const wrong = lines.filter(hasFaults);
  const existing = lines.filter((line) => !hasFaults(line) && existingIn(checked, line));
  const sent = sendable(checked);
  const promoted = sent.filter(({ value }) => value.roles?.includes(ADMINISTRATOR));
  const isWhole = wrong.some(({ text }) => text === undefined);
  if (isWhole || lines.length === 0)
    return (
      <section class="card">
        <p role="status">{isWhole ? t.unreadable : t.empty}</p>
        {isWhole && (
          <Lines label={t.faultsLabel}>
            {ofColumns(wrong).map((error) => (
              <li key={faultText(error)}>{faultText(error)}.</li>
            ))}
          </Lines>
        )}
      </section>
    );
  const parts: Readonly<Record<Part, readonly [string, readonly Line[]]>> = {
    all: [t.all, lines],
    faults: [t.withFaults, wrong],
    existing: [t.existing, existing],
  };
  const used = Object.entries(parts).filter(([id, [, some]]) => id === 'all' || some.length > 0);
  return (
    <section class="card">
      <h2>{t.check}</h2>
      {checked.isGuess && <p class="warn">{t.guess}</p>}
      {former && existing.length > 0 && (
        <p>
          {t.former(<When key="when" of={former.at} />)} {again ? t.formerAgain : t.formerOver}
        </p>
      )}
      <p role="status">
        {wrong.length === 0
          ? t.noFaults(lines.length)
          : t.someFaults(lines.length, lines.length - wrong.length, wrong.length)}
        {existing.length > 0 && ` ${t.someExist(existing.length)}`}
      </p>
      {sent.length === 0 && wrong.length === 0 && <p>{t.allExist}</p>}
      {wrong.length > 0 && (
        <p>
          {sent.length > 0 && t.others}
          {t.correct}
        </p>
      )}
      {used.length > 1 && (
        <div class="row states">
          {used.map(([id, [label, some]]) => (
            <Button key={id} class="quiet" aria-pressed={id === part} onClick={() => setPart(id as Part)}>
              {label} <span class="faint">{number(some.length)}</span>
            </Button>
          ))}
          {wrong.length > 0 && (
            <Button onClick={() => saveRejects(checked.name, wrong)}>{t.downloadFaults(wrong.length)}</Button>
          )}
        </div>
      )}
      <Rows
        key={part}
        label={t.rowsOfFile}
        columns={columnsOf(checked)}
        of={parts[part][1]}
        keyOf={({ line }) => line}
      />
      {sent.length > 0 && (
        <Form
          class="narrow"
          submit={again ? t.continue(sent.length) : t.submit(sent.length)}
          onSubmit={async (fields) => begin(checked, again ? again.hours : inviteOf(fields).invite_hours)}
        >
          {!again && <Hours defaultValue={`${hours}`} none={t.noCodes} hint={t.hoursHint} />}
          {promoted.length > 0 && (
            <Promotion of={promoted.map(({ value }) => value.username).join(', ')} number={promoted.length} />
          )}
        </Form>
      )}
    </section>
  );
}
