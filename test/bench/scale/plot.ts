import { number } from '../../../infra/admin/terminal/counted.ts';
import { median } from '../report.ts';

/** A line of the plot: its name, and a value for each size. */
export interface Line {
  readonly name: string;
  readonly values: readonly number[];
  /** The least and the greatest of what the line is the middle of. */
  readonly range?: readonly (readonly [least: number, greatest: number])[];
  /** What is counted instead of measured is dashed. */
  readonly isExact?: boolean;
}

/** The middle of several lines, and what they lie between. */
export const middle = (name: string, lines: readonly (readonly number[])[]): Line => {
  const at = (n: number) => lines.map((values) => values[n] as number);
  const places = (lines[0] ?? []).keys();
  const range = [...places].map((n) => [Math.min(...at(n)), Math.max(...at(n))] as const);
  return { name, values: range.map((_, n) => median(at(n))), range };
};

const [WIDTH, HEIGHT] = [900, 430];
const AREA = { left: 64, right: 560, top: 56, bottom: 370 };
const MARK = 4;
const LEGEND = { left: AREA.right + 24, top: AREA.top + 12, step: 26 };

/** Colours that are told apart with every kind of colour vision, for a light and for a dark ground; each has a mark as well. */
const COLOURS = [
  ['#0072b2', '#56b4e9'],
  ['#555555', '#bbbbbb'],
  ['#d55e00', '#ff9a4d'],
  ['#007a5a', '#2fd0a0'],
  ['#a3457f', '#e79fc9'],
  ['#7a6200', '#e6c84c'],
] as const;

const MARKS = [
  (x: number, y: number) => `<circle cx="${x}" cy="${y}" r="${MARK}"/>`,
  () => '',
  (x: number, y: number) => `<path d="M${x} ${y - MARK}l${MARK} ${2 * MARK}h${-2 * MARK}z"/>`,
  (x: number, y: number) =>
    `<path d="M${x} ${y - MARK}l${MARK} ${MARK} ${-MARK} ${MARK} ${-MARK} ${-MARK}z"/>`,
  (x: number, y: number) =>
    `<rect x="${x - MARK}" y="${y - MARK}" width="${2 * MARK}" height="${2 * MARK}"/>`,
  (x: number, y: number) => `<path d="M${x} ${y + MARK}l${MARK} ${-2 * MARK}h${-2 * MARK}z"/>`,
];

const style = () => {
  const rules = (ground: string, ink: string, faint: string, theme: 0 | 1) =>
    `.ground{fill:${ground}}text{fill:${ink}}.grid{stroke:${faint}}.axis{stroke:${ink}}${COLOURS.map(
      (pair, n) => `.c${n}{stroke:${pair[theme]};fill:${pair[theme]}}`,
    ).join('')}`;
  return `<style>text{font:13px system-ui,sans-serif}.title{font-size:15px;font-weight:600}.end{text-anchor:end}.middle{text-anchor:middle}path.line{fill:none;stroke-width:2}.exact{stroke-dasharray:6 4}.range{stroke:none;opacity:.2}${rules('#ffffff', '#1f2328', '#d8dee4', 0)}@media(prefers-color-scheme:dark){${rules('#0d1117', '#e6edf3', '#30363d', 1)}}</style>`;
};

const round = (value: number) => Math.round(value * 10) / 10;

/** A picture of values over sizes, as SVG. The sizes stand on a logarithmic axis, the values on one that begins at zero. */
export function plot(
  title: string,
  subject: string,
  sizes: readonly number[],
  lines: readonly Line[],
): string {
  const [first = 1, last = 10] = [sizes[0], sizes.at(-1)];
  const greatest = Math.max(...lines.flatMap(({ values, range = [] }) => [...values, ...range.flat()]));
  const step = greatest > 4 ? 1 : greatest > 2 ? 0.5 : 0.25;
  const top = Math.max(1.5, Math.ceil(greatest / step) * step);
  const x = (size: number) =>
    round(AREA.left + 16 + (Math.log(size / first) / Math.log(last / first)) * (AREA.right - AREA.left - 48));
  const y = (value: number) => round(AREA.bottom - (value / top) * (AREA.bottom - AREA.top));

  const ticks = Array.from({ length: Math.floor(top / step) + 1 }, (_, n) => n * step);
  const rows = ticks.map(
    (tick) =>
      `<path class="grid" d="M${AREA.left} ${y(tick)}H${AREA.right}"/><text class="end" x="${AREA.left - 8}" y="${y(tick) + 4}">${tick}</text>`,
  );
  const columns = sizes.map(
    (size) =>
      `<path class="axis" d="M${x(size)} ${AREA.bottom}v6"/><text class="middle" x="${x(size)}" y="${AREA.bottom + 22}">${number(size)}</text>`,
  );
  const drawn = lines.map(({ values, range, isExact }, n) => {
    const points = values.map((value, at) => [x(sizes[at] as number), y(value)] as const);
    const path = points.map((point) => point.join(' ')).join('L');
    const edge = (side: 0 | 1) =>
      (range ?? []).map((pair, at) => `${x(sizes[at] as number)} ${y(pair[side])}`);
    const between = range
      ? `<path class="c${n} range" d="M${[...edge(0), ...edge(1).reverse()].join('L')}z"/>`
      : '';
    const marks = points.map(([px, py]) => MARKS[n]?.(px, py)).join('');
    return `${between}<path class="c${n} line${isExact ? ' exact' : ''}" d="M${path}"/><g class="c${n}">${marks}</g>`;
  });
  const legend = lines.map(({ name, isExact }, n) => {
    const [left, middleY] = [LEGEND.left, LEGEND.top + n * LEGEND.step];
    return `<path class="c${n} line${isExact ? ' exact' : ''}" d="M${left} ${middleY}h28"/><g class="c${n}">${MARKS[n]?.(left + 14, middleY)}</g><text x="${left + 36}" y="${middleY + 4}">${escaped(name)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">
${style()}
<rect class="ground" width="${WIDTH}" height="${HEIGHT}"/>
<text class="title" x="${AREA.left}" y="28">${escaped(title)}</text>
${rows.join('\n')}
<path class="axis" fill="none" d="M${AREA.left} ${AREA.top}V${AREA.bottom}H${AREA.right}"/>
${columns.join('\n')}
<text class="middle" x="${(AREA.left + AREA.right) / 2}" y="${AREA.bottom + 46}">accounts in the directory</text>
<text class="middle" transform="translate(18 ${(AREA.top + AREA.bottom) / 2}) rotate(-90)">${escaped(subject)}</text>
${drawn.join('\n')}
${legend.join('\n')}
</svg>
`;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
