import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { SECRETS } from '#lib/account/file/columns';
import { Button } from '../../button.tsx';
import { Form } from '../../form.tsx';
import type { Checked } from '../../import/check.ts';
import { COLUMNS, labelOf } from '../../import/columns.ts';
import { hasFaults, type Line } from '../../import/line.ts';
import { begin } from '../../import/run.ts';
import type { Column } from '../../listing.tsx';
import { Promotion } from '../../memberships.tsx';
import { Hours, inviteOf, Lines } from '../../parts.tsx';
import { ADMINISTRATOR } from '../../session.ts';
import { faultText, saveRejects } from './rejects.ts';
import { Rows } from './rows.tsx';

export const people = (number: number) =>
  `${number.toLocaleString('en')} ${number === 1 ? 'person' : 'people'}`;
const rows = (number: number) => `${number.toLocaleString('en')} ${number === 1 ? 'row' : 'rows'}`;

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
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
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
function columnsOf(lines: readonly Line[]): Column<Line>[] {
  const names = propertiesOf(lines);
  const isIn = (name: string, field: string) => field === name || field.startsWith(`${name}.`);
  const line: Column<Line> = {
    label: 'Line',
    cell: ({ line: number, errors }) => (
      <>
        {number.toLocaleString('en')}
        <Faults of={errors.filter(({ field }) => !names.some((name) => isIn(name, field))).map(faultText)} />
      </>
    ),
  };
  const cells = names.map((name): Column<Line> => {
    const cell = ({ value, errors }: Line) => {
      const faults = errors.filter(({ field }) => isIn(name, field)).map(({ message }) => message);
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
      field: field || `Line ${line}`,
      message,
      isOfColumn: field !== '',
    })),
  );
  return all.filter(({ isOfColumn }) => isOfColumn || !all.some((each) => each.isOfColumn));
}

/** What an import would create, with the faults in their cells, and the button that starts it. */
export function Preview({ checked, hours }: { readonly checked: Checked; readonly hours: number }) {
  const { lines } = checked;
  const [isOfFaults, setOfFaults] = useState(false);
  const wrong = lines.filter(hasFaults);
  const right = lines.length - wrong.length;
  const promoted = lines.filter((line) => !hasFaults(line) && line.value.roles?.includes(ADMINISTRATOR));
  const isWhole = wrong.some(({ text }) => text === undefined);
  if (isWhole || lines.length === 0)
    return (
      <section class="card">
        <p role="status">
          {isWhole
            ? 'The file cannot be read: correct it, and choose it again. Step 1 has the names of the columns.'
            : 'The file has no rows.'}
        </p>
        {isWhole && (
          <Lines label="Faults">
            {ofColumns(wrong).map((error) => (
              <li key={faultText(error)}>{faultText(error)}.</li>
            ))}
          </Lines>
        )}
      </section>
    );
  const tab = (label: string, isThis: boolean, number: number) => (
    <Button class="quiet" aria-pressed={isThis === isOfFaults} onClick={() => setOfFaults(isThis)}>
      {label} <span class="faint">{number.toLocaleString('en')}</span>
    </Button>
  );
  return (
    <section class="card">
      <h2>3. Check the rows</h2>
      <p role="status">
        {wrong.length === 0
          ? `${rows(right)}, none with faults.`
          : `${rows(lines.length)}: ${right.toLocaleString('en')} can be imported, ${wrong.length.toLocaleString('en')} ${wrong.length === 1 ? 'has' : 'have'} faults.`}
      </p>
      {wrong.length > 0 && (
        <>
          <p>
            {right > 0 && 'You can import the others now. '}
            Download the rows with faults: the file names the reason of each. Correct them, and import that
            file.
          </p>
          <div class="row states">
            {tab('All', false, lines.length)}
            {tab('With faults', true, wrong.length)}
            <Button onClick={() => saveRejects(checked.name, wrong)}>
              {`Download ${rows(wrong.length)} with faults`}
            </Button>
          </div>
        </>
      )}
      <Rows
        key={isOfFaults}
        label="Rows of the file"
        columns={columnsOf(lines)}
        of={isOfFaults ? wrong : lines}
        keyOf={({ line }) => line}
      />
      {right > 0 && (
        <Form
          class="narrow"
          submit={`Import ${people(right)}`}
          onSubmit={async (fields) => begin(checked, inviteOf(fields).invite_hours)}
        >
          <Hours
            defaultValue={`${hours}`}
            none="No codes: for people who get theirs later"
            hint="Each person gets a one-time code, with which they set a password."
          />
          {promoted.length > 0 && <Promotion of={promoted.map(({ value }) => value.username).join(', ')} />}
        </Form>
      )}
    </section>
  );
}
