/** State of an account as clients can observe it. */
export interface State {
  readonly active: boolean;
  readonly locked: boolean;
  readonly name: string;
  readonly roles: readonly string[];
  /** Secrets by name; null if the answer was lost. */
  readonly tokens: Readonly<Record<string, string | null>>;
  /** The stamp of its sessions, as far as a login has shown it. */
  readonly stamp: string | undefined;
  /** The stamp that the last logout has ended. */
  readonly ended: string | undefined;
  /** Events that were published. */
  readonly events: number;
}

export const NEW: State = {
  active: true,
  locked: false,
  name: '',
  roles: [],
  tokens: {},
  stamp: undefined,
  ended: undefined,
  events: 0,
};

/** A session, by its stamp and the secret that has logged it in: it ends with either. */
export interface Session {
  readonly stamp: string;
  readonly secret: string;
}

/** An operation; `secret` and `session` are the request's credential. */
export type Operation =
  | { readonly kind: 'lock' | 'unlock' | 'cancel' | 'reactivate' | 'list' | 'profile' | 'events' }
  | { readonly kind: 'create' | 'delete'; readonly token: string }
  | { readonly kind: 'copy'; readonly roles: readonly string[] }
  | { readonly kind: 'use' | 'login'; readonly secret: string }
  | { readonly kind: 'rename'; readonly secret: string; readonly name: string }
  | { readonly kind: 'session' | 'logout'; readonly session: Session };

/** Parts of the answer that the model knows; undefined without an answer. */
export type Answer = readonly unknown[] | undefined;

const REFUSED = [401];

const authenticates = ({ active, locked }: State) => active && !locked;
const opens = (state: State, secret: string) =>
  authenticates(state) && Object.values(state.tokens).includes(secret);

const isOpen = (state: State, { stamp, secret }: Session) => opens(state, secret) && state.stamp === stamp;

/**
 * The state after an operation, and its answer. The model takes secrets and stamps from the answer, since only the
 * service knows them.
 */
function apply(state: State, operation: Operation, answer: Answer): readonly [State, unknown[]] {
  const { active, locked, tokens } = state;
  const shown = answer?.[1] as string | undefined;
  const become = (change: Partial<State>, due: boolean): readonly [State, unknown[]] => {
    const next = due ? { ...state, ...change } : state;
    return [next, [200, due, next.active, next.locked]];
  };
  switch (operation.kind) {
    case 'lock':
      return become({ locked: true, stamp: undefined }, !locked);
    case 'unlock':
      return become({ locked: false }, locked);
    case 'cancel':
      return become({ active: false, stamp: undefined, events: state.events + 1 }, active);
    case 'reactivate':
      return become({ active: true, events: state.events + 1 }, !active);
    case 'create':
      if (!active) return [state, [409]];
      if (operation.token in tokens) return [state, [409]];
      return [{ ...state, tokens: { ...tokens, [operation.token]: shown ?? null } }, [200, shown]];
    case 'delete': {
      const { [operation.token]: _, ...others } = tokens;
      return operation.token in tokens ? [{ ...state, tokens: others }, [200]] : [state, [404]];
    }
    case 'copy': {
      if (!active) return [state, [409]];
      const added = operation.roles.filter((role) => !state.roles.includes(role));
      return [{ ...state, roles: [...state.roles, ...added].sort() }, [200, added]];
    }
    case 'list':
      return [state, [200, Object.keys(tokens).sort()]];
    case 'profile':
      return [state, [200, state.name, state.roles]];
    case 'events':
      return [state, [200, state.events]];
    case 'use':
      return [state, opens(state, operation.secret) ? [200] : REFUSED];
    case 'rename':
      return opens(state, operation.secret) ? [{ ...state, name: operation.name }, [200]] : [state, REFUSED];
    case 'login':
      if (!opens(state, operation.secret)) return [state, REFUSED];
      return [{ ...state, stamp: state.stamp ?? shown }, [200, state.stamp ?? shown]];
    case 'session':
      return [state, isOpen(state, operation.session) ? [200] : REFUSED];
    case 'logout': {
      const { session } = operation;
      // The second of two simultaneous logouts may succeed as well, although it has nothing to end.
      if (opens(state, session.secret) && state.ended === session.stamp && answer?.[0] === 200)
        return [state, [200]];
      if (!isOpen(state, session)) return [state, REFUSED];
      return [{ ...state, stamp: undefined, ended: session.stamp }, [200]];
    }
  }
}

/** The state after an operation with this answer; undefined if it is impossible. */
export function step(state: State, operation: Operation, answer: Answer): State | undefined {
  const [next, expected] = apply(state, operation, answer);
  return answer === undefined || JSON.stringify(expected) === JSON.stringify(answer) ? next : undefined;
}
