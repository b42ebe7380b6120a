import type { Contract } from '#lib/contract/contract';
import type { FieldError } from '#lib/failure/codes';
import { commandsFrom } from './commands.ts';
import { movesFrom } from './moves.ts';
import { requestsIn } from './requests.ts';
import type { Reply } from './service.ts';
import { type Begun, type Start, theftOf } from './starts.ts';
import { existingIn, type State, type Step, type World } from './world.ts';
import { writableBy, writesFrom } from './writes.ts';

/** Fields of a refusal that comes before the shape of the input is read. */
const BEFORE_INPUT = ['role', 'access'];

const lacksRole = ({ code, payload }: Reply) => {
  const [first] =
    (payload as { readonly data?: { readonly errors?: readonly FieldError[] } })?.data?.errors ?? [];
  return code === 'forbidden' && BEFORE_INPUT.includes(first?.field ?? '');
};

const rolesOf = ({ facts }: State, caller = '') => facts.find((fact) => fact.startsWith(`${caller}: roles`));

/** Writes of items that are the same for everybody. */
const FOR_ALL = /:(CHALLENGES|CURSORS)$/;

/** Whether requests of a contract change nothing, by its needs. */
const isRead = ({ method, unsafe, needs }: Contract) =>
  (method === 'GET' && !unsafe) ||
  needs.every((need) => FOR_ALL.test(need) || !/(PutItem|UpdateItem|DeleteItem|BatchWriteItem):/.test(need));

/** The requests that the thief may send from a state. */
function* requestsFrom(world: World, state: State): Generator<Step> {
  const { loot: secrets, time: now, setting } = state;
  for (const request of requestsIn({ now, actor: 'thief', secrets, existing: existingIn(state) })) {
    const { contract, words, about, caller, target, credential, gives, send } = request;
    const isOwnBusiness = about.every((name) => name === 'thief') && about.length > 0;
    // The thief's own account needs nothing but the passkey that it has.
    if (isOwnBusiness && credential) continue;
    const whom = target ?? caller;
    yield {
      words,
      group: `${contract.id} ${credential?.limits} ${rolesOf(state, caller)} ${whom === caller}`,
      about,
      isRead: isRead(contract),
      power: isOwnBusiness || whom === undefined ? undefined : `${contract.id} about ${whom}`,
      async take() {
        const reply = await send(world.service, setting);
        if (reply.status !== 200) return { ok: false, lacksRole: lacksRole(reply) };
        return { ok: true, learned: await world.learn(reply, gives) };
      },
    };
  }
}

/** Every step from a state: of the thief, and of the people. */
export function* stepsFrom(world: World, start: Start, { past }: Begun, state: State): Generator<Step> {
  const { needs, runsCommands, must } = theftOf(start);
  if (needs) {
    yield* writesFrom(world, state, writableBy(needs()), past);
    if (runsCommands) yield* commandsFrom(world, state);
    return;
  }
  yield* requestsFrom(world, state);
  // The owner itself acts where it must reach something.
  if (!must) yield* movesFrom(world.service, state, start);
}
