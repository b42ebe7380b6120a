import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { document as t } from '#texts/document';
import { Button, returnTo } from './button.tsx';
import { exactly } from './time.tsx';
import { cover, useTitle } from './title.tsx';

/** A document to print or to keep. */
interface Printed {
  /** What it is, in general: it names the tab and the file, which keep no names of people. */
  readonly title: string;
  readonly children: ComponentChildren;
}

/** The open document: no address and no entry of the history knows it. */
const opened = signal<Printed | undefined>(undefined);

/** Shows a document in front of the screen, until it is closed or the person goes elsewhere. */
export function openDocument(printed: Printed) {
  opened.value = printed;
}

const close = () => {
  opened.value = undefined;
};

/** The rows of a table, each with as many cells as there are columns; without rows a text. */
export const Rows = ({
  head,
  of,
  none,
}: {
  readonly head: readonly string[];
  readonly of: readonly (readonly ComponentChildren[])[];
  readonly none?: string;
}) =>
  of.length === 0 ? (
    <p>{none}</p>
  ) : (
    <table>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {of.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, column) => (
              <td key={head[column]} data-label={head[column]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );

/** Values by their names. */
export const Entry = ({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** A time, exactly and with its zone; without a zone it is in UTC. */
export function Exact({ of }: { readonly of: string | null | undefined }) {
  if (!of) return <>{t.never}</>;
  const time = new Date(/(Z|[+-]\d\d:\d\d)$/.test(of) ? of : `${of}Z`);
  return Number.isNaN(time.getTime()) ? (
    <bdi>{of}</bdi>
  ) : (
    <time dateTime={time.toISOString()}>{exactly(time)}</time>
  );
}

function Sheet({ title, children }: Printed) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    cover.value = title;
    heading.current?.focus();
    scrollTo(0, 0);
    return () => {
      cover.value = '';
      returnTo(opener);
    };
  }, [title]);
  useLayoutEffect(() => {
    const at = location.hash;
    const leave = () => location.hash !== at && close();
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !document.querySelector('dialog[open]')) close();
    };
    addEventListener('hashchange', leave);
    addEventListener('keydown', press);
    return () => {
      removeEventListener('hashchange', leave);
      removeEventListener('keydown', press);
    };
  }, []);
  return (
    <article class="document">
      <div class="row tools">
        <Button class="primary" onClick={() => print()}>
          {t.print}
        </Button>
        <Button onClick={close}>{t.close}</Button>
      </div>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </article>
  );
}

/** The open document, in the place of the screen, which stays as it is below. */
export const Documents = () => opened.value && <Sheet {...opened.value} />;
