import { type Contract, type Method, mayLackCredential } from '#lib/contract/contract';
import { passkeyIdOf } from '#lib/passkey/passkey';
import { contracts, type Route, routesOf } from '#lib/routes';
import { partsOf, samplesOf } from '../integration/requests.ts';
import { Slot, type Template, templatesOf } from './bodies.ts';
import type { Name } from './people.ts';
import { answerOf, devices, isCredential, presenting, type Secret, wordsOf } from './secrets.ts';
import type { Reply, Sent, Service, Setting } from './service.ts';
import { API, type Scene, VALUES, type Value } from './values.ts';

/** A request that somebody may send in a state. */
export interface Request {
  readonly contract: Contract;
  /** Words for all of it, the same in each state where it is the same. */
  readonly words: string;
  readonly target: Name | undefined;
  readonly caller: Name | undefined;
  /** Every account that it concerns. */
  readonly about: readonly Name[];
  readonly credential: Secret | undefined;
  /** What the sender has after a success, besides the secrets of the answer. */
  readonly gives: readonly Secret[];
  readonly send: (service: Service, setting: Setting) => Promise<Reply>;
}

/** Contracts that may give somebody something. The others answer everyone alike, or every account, and change nothing. */
export const ATTACKED = contracts.filter(
  ({ access, needs, audit }) =>
    (typeof access === 'object' || needs.length > 0) && (access !== 'public' || audit),
);

interface Form {
  readonly contract: Contract;
  readonly route: Route;
  readonly params: readonly string[];
  /** Values of the sample for the parameters without a value of the state. */
  readonly given: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly templates: readonly Template[];
}

/** Every form of path of every contract, with its bodies: as data, so that a contract that is added takes part. */
const FORMS: readonly Form[] = ATTACKED.flatMap((contract) => {
  const [sample] = samplesOf(contract.id);
  const templates = templatesOf(contract);
  const [method] = [contract.method].flat();
  return routesOf(contract)
    .filter((route) => route.method === method && !contract.aliases?.includes(route.path))
    .map((route) => {
      const params = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const { params: given, query } = partsOf(contract.id, { username: 'owner' }, sample);
      return { contract, route, params, given, query, templates };
    });
});

const PEOPLE_PARAMETERS = ['username', 'source_username', 'target_username'];

/** All combinations of a value of each list. */
const product = <T>(lists: readonly (readonly T[])[]): T[][] =>
  lists.reduce<T[][]>((all, list) => all.flatMap((one) => list.map((each) => [...one, each])), [[]]);

const slotsIn = (template: Template): Slot[] => {
  if (template instanceof Slot) return [template];
  return template !== null && typeof template === 'object' ? Object.values(template).flatMap(slotsIn) : [];
};

const filled = (template: Template, values: ReadonlyMap<Slot, unknown>): unknown => {
  if (template instanceof Slot) return values.get(template);
  if (Array.isArray(template) || template === null || typeof template !== 'object') return template;
  return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, filled(each, values)]));
};

const inWords = (template: Template, values: ReadonlyMap<Slot, Value>): string => {
  if (template instanceof Slot) return values.get(template)?.words ?? '';
  if (template === null || typeof template !== 'object') return String(template);
  return Object.entries(template)
    .map(([name, each]) => {
      const isObject = each !== null && typeof each === 'object' && !(each instanceof Slot);
      return isObject ? `${name}: {${inWords(each, values)}}` : `${name}: ${inWords(each, values)}`;
    })
    .join(', ');
};

/** The requests of one form by a credential, or without one. */
function* ofForm(form: Form, scene: Scene, credential: Secret | undefined): Generator<Request> {
  const { contract, route, params, given, query, templates } = form;
  const caller = credential?.of;
  const ofPeople = params.filter((name) => PEOPLE_PARAMETERS.includes(name));
  const others = params.filter((name) => name in VALUES && !ofPeople.includes(name));
  const valuesOf = (name: string, of: Scene, creates = false) => VALUES[name]?.(of, creates) ?? [];
  for (const inPath of product(ofPeople.map((name) => valuesOf(name, scene)))) {
    const [first] = [...inPath].reverse();
    for (const template of templates) {
      const slots = slotsIn(template);
      const body = slots.find(({ name }) => name === 'username');
      const named = body
        ? valuesOf('username', { ...scene, caller, creates: contract.creates === 'account' })
        : [first];
      const byToken = slots.some(({ name }) => name === 'password') ? [{ words: API, value: API }] : [];
      const targets: readonly (Value | undefined)[] = [...named, ...byToken];
      for (const inBody of targets) {
        const target = (inBody?.value ?? caller) as Name | undefined;
        const its: Scene = { ...scene, caller, target };
        const rest = slots.filter((slot) => slot !== body);
        for (const values of product(rest.map((slot) => valuesOf(slot.name, its, slot.creates))))
          for (const further of product(others.map((name) => valuesOf(name, its)))) {
            const chosen = new Map(rest.map((slot, index) => [slot, values[index] as Value]));
            if (body && inBody) chosen.set(body, inBody);
            const path = [
              ...ofPeople.map((name, index) => [name, inPath[index]] as const),
              ...others.map((name, index) => [name, further[index]] as const),
            ];
            const where = Object.fromEntries(path.map(([name, value]) => [name, String(value?.value)]));
            const text = [
              contract.id,
              ...path.map(([, value]) => value?.words),
              ...(template === undefined || Object.keys(template as object).length === 0
                ? []
                : [`{${inWords(template, chosen)}}`]),
              credential ? `with the ${wordsOf(credential, scene.now)}` : 'without a credential',
            ].join(' ');
            const about = [
              caller,
              target,
              ...inPath.map(({ value }) => value as Name),
              ...[...chosen.values()].map(({ of }) => of),
            ];
            yield {
              gives: [...chosen].flatMap(([slot, value]) =>
                givenBy(slot, value, target === API ? undefined : (target ?? caller)),
              ),
              contract,
              words: text,
              target: target === API ? undefined : target,
              caller,
              credential,
              about: [...new Set(about)].filter((name): name is Name => name !== undefined && name !== API),
              send: (service, setting) => {
                const parts = {
                  method: route.method as Method,
                  params: { ...given, ...where },
                  query: contract.method === 'GET' ? query : {},
                };
                return answered(service, setting, contract, parts, template, chosen, credential);
              },
            };
          }
      }
    }
  }
}

/** A new password, and a device that created a passkey. */
function givenBy({ name, creates }: Slot, { value, device }: Value, of: Name | undefined): Secret[] {
  if (of === undefined) return [];
  if (creates && device !== undefined) return [{ kind: 'device', of, value: device, about: '', works: true }];
  return name === 'new_password'
    ? [{ kind: 'password', of, value: String(value), about: '', works: true }]
    : [];
}

async function answered(
  service: Service,
  setting: Setting,
  contract: Contract,
  parts: Sent,
  template: Template,
  chosen: ReadonlyMap<Slot, Value>,
  credential: Secret | undefined,
): Promise<Reply> {
  const authorization = credential && presenting(credential);
  const values = new Map<Slot, unknown>();
  for (const [slot, { value, device }] of chosen) {
    const answer =
      device === undefined
        ? { value }
        : await byDevice(service, setting, device, slot.creates, authorization);
    if ('refusal' in answer && answer.refusal) return answer.refusal;
    values.set(slot, answer.value);
  }
  const body = template === undefined ? undefined : filled(template, values);
  const content =
    body === undefined
      ? {}
      : contract.bodyKind === 'form'
        ? { form: body as Record<string, string> }
        : { json: body };
  return service.send(contract, setting, { ...parts, ...content }, authorization);
}

const options = contracts.find(({ id }) => id === 'account.passkey-options') as Contract;

/** Has a device answer the options that the service gives it, as a browser does: it asserts a passkey for its domain only. */
async function byDevice(
  service: Service,
  setting: Setting,
  id: string,
  creates: boolean,
  authorization?: string,
) {
  const held = devices.get(passkeyIdOf(id));
  if (!held) throw new Error('There is no such device');
  const json = { purpose: creates ? 'create' : 'assert' };
  const asked = await service.send(
    options,
    setting,
    { method: 'POST', json },
    creates ? authorization : undefined,
  );
  if (asked.status !== 200) return { refusal: asked };
  const { data } = asked.payload as { data: { options: object } };
  return { value: await answerOf(service.table, held, data.options, setting, creates) };
}

/** Every request that somebody may send with these secrets. */
export function* requestsIn(scene: Omit<Scene, 'caller' | 'target' | 'creates'>): Generator<Request> {
  const credentials = scene.secrets.filter((secret) => isCredential(secret) && secret.works);
  const open: Scene = { ...scene, caller: undefined, target: undefined, creates: false };
  for (const form of FORMS) {
    const { access } = form.contract;
    const may =
      access === 'public' ? [undefined] : [...(mayLackCredential(access) ? [undefined] : []), ...credentials];
    for (const credential of may) yield* ofForm(form, open, credential);
  }
}
