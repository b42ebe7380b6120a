import * as z from 'zod/mini';
import type { Contract } from '#lib/contract/contract';
import { samplesOf } from '../integration/requests.ts';
import { GIVEN, VALUES } from './values.ts';

/** A place in a body whose value the state decides, by the name of the field. */
export class Slot {
  readonly name: string;
  /** Whether the device creates a passkey there, rather than asserting one. */
  readonly creates: boolean;
  constructor(name: string, creates = false) {
    this.name = name;
    this.creates = creates;
  }
}

/** A body with slots; undefined for a request without one. */
export type Template = unknown;

interface Node {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
}

/**
 * Fields that make a new credential narrower than it would be. What a narrow one may do, a wide one may do: the stolen tokens of
 * each width are starts of their own.
 */
const NARROWING = ['access', 'addresses', 'expires_at', 'expires_in_days'];

const isNarrowing = (name: string, siblings: Readonly<Record<string, Node>>) =>
  NARROWING.includes(name) || (name === 'roles' && 'addresses' in siblings);

const at = (sample: unknown, name: string) =>
  (sample as Readonly<Record<string, unknown>> | undefined)?.[name];

/** Values of a field by its schema, the slot of its name, or the sample of its contract. */
function variantsOf(node: Node, name: string, sample: unknown): readonly Template[] {
  if (name in VALUES)
    return [new Slot(name, 'attestationObject' in (node.properties?.['response']?.properties ?? {}))];
  if (name in GIVEN) return GIVEN[name] as readonly Template[];
  if (node.const !== undefined) return [node.const];
  if (node.enum) return node.enum;
  if (node.properties) return bodiesIn(node, sample);
  if (node.type === 'boolean') return [true];
  if (node.type === 'integer') return [node.minimum ?? 1];
  return sample === undefined ? [] : [sample];
}

/** The subsets of a list with at most two elements. */
const fewOf = <T>(all: readonly T[]): T[][] => [
  [],
  ...all.map((one) => [one]),
  ...all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other])),
];

/**
 * Bodies of a schema: with what is required, and at most two of the values that the state decides or of the objects, because a
 * rule may want two where the schema wants none; each also with all other fields, and all switches on, for each of their values.
 */
function bodiesIn(node: Node, sample: unknown): Template[] {
  const { properties = {}, required = [] } = node;
  const fields = Object.entries(properties)
    .filter(([name]) => !isNarrowing(name, properties))
    .map(([name, each]) => ({
      name,
      isChoice: name in VALUES || each.properties !== undefined,
      values: variantsOf(each, name, at(sample, name)),
    }));
  const base = Object.fromEntries(
    fields.filter(({ name }) => required.includes(name)).map(({ name, values }) => [name, values[0] ?? 'x']),
  );
  const optional = fields.filter(({ name, values }) => !required.includes(name) && values.length > 0);
  const switches = optional.filter(({ isChoice }) => !isChoice);
  const on = Object.fromEntries(switches.map(({ name, values }) => [name, values[0]]));
  const rests = [
    on,
    ...switches.flatMap(({ name, values }) => values.slice(1).map((value) => ({ ...on, [name]: value }))),
  ];
  const chosen = fewOf(optional.filter(({ isChoice }) => isChoice)).flatMap((some) =>
    some.reduce<Template[]>(
      (bodies, { name, values }) =>
        bodies.flatMap((body) => values.map((value) => ({ ...(body as object), [name]: value }))),
      [base],
    ),
  );
  const choices = fields
    .filter(({ name, values }) => required.includes(name) && values.length > 1)
    .flatMap(({ name, values }) => values.slice(1).map((value) => ({ ...base, [name]: value })));
  const all = [...chosen, ...choices];
  return switches.length > 0
    ? [...all, ...rests.flatMap((rest) => all.map((body) => ({ ...(body as object), ...rest })))]
    : all;
}

/** The bodies of a contract: from its schema and its samples, and none where it may have none. */
export function templatesOf({ id, body, bodyKind }: Contract): readonly Template[] {
  if (!body) return [undefined];
  const samples = samplesOf(id).map((one) => one.body?.({ username: 'owner' }));
  const node = z.toJSONSchema(body(), { io: 'input', unrepresentable: 'any' }) as Node;
  const sample = Object.assign({}, ...samples.filter((one) => typeof one === 'object'));
  const none = bodyKind === undefined || bodyKind === 'form' ? [] : [undefined];
  return [...none, ...(node.properties ? bodiesIn(node, sample) : [undefined])];
}
