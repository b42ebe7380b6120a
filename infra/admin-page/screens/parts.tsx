import { useState } from 'preact/hooks';
import { CoreAccountError } from '#lib/client/index';
import { type Action, Acts } from '../act.tsx';
import { Avatar } from '../avatar.tsx';
import { Button } from '../button.tsx';
import { Chip } from '../chip.tsx';
import { EditInPlace } from '../edit-in-place.tsx';
import { Empty } from '../empty.tsx';
import { Failed } from '../failed.tsx';
import { Field, Form } from '../form.tsx';
import { Listing, Skeleton } from '../listing.tsx';
import { Menu } from '../menu.tsx';
import { notify } from '../notice.tsx';
import { Disclosure, Facts, Lines, Once, Section } from '../parts.tsx';
import { Picker } from '../picker.tsx';
import { hrefTo } from '../place.ts';
import type { Paged } from '../query.ts';
import { People } from '../search.tsx';
import { type Part, Tabs } from '../tabs.tsx';
import { PageTitle } from '../title.tsx';

const PEOPLE = [
  { username: 'anna.keller', user_short: 'AK', user_color: '#1F5F8B', state: 'Active' },
  { username: 'bo', user_short: '', user_color: '#F2D544', state: 'Locked' },
  { username: 'maximiliane.von-und-zu-wolkenstein@example.com', user_color: 'none', state: 'Cancelled' },
];

const BADGES: Readonly<Record<string, string>> = { Active: 'good', Locked: 'bad', Cancelled: 'faint' };

const ROLES = [
  { value: 'sys_administrator', note: 'Manages all accounts, teams and tokens.' },
  { value: 'sys_tokens', note: 'Creates API tokens of its own.' },
  { value: 'editor' },
];

const failure = (code: string, message: string, status: number) =>
  new CoreAccountError('parts', code, { message, status, requestId: '3f0c8a52-7d1e-4c7b-9a55-0d1c6e3b8f21' });

const LOCKED = 'anna.keller is locked until an administrator unlocks it, and all sessions have ended.';

const undo = { label: 'Unlock', run: async () => {} };

const lock: Action = {
  label: 'Lock',
  text: 'Its credentials are refused, and its sessions end.',
  children: <Field label="Reason" name="reason" hint="Optional; administrators see it." />,
  isDangerous: true,
  run: async () => {},
  done: () => LOCKED,
  undo: () => undo,
};

const refused: Action = {
  label: 'Fail',
  run: () => Promise.reject(failure('version_conflict', 'Another person has changed the account.', 412)),
};

const secret: Action = {
  label: 'Show a secret',
  run: async () => <Once label="One-time code" value="7KQ2-M4XD-9RTP" />,
};

const LIST = {
  data: { items: PEOPLE, next_cursor: 'next' },
  isLoading: false,
  reload: () => {},
  at: 'cursor',
} as unknown as Paged<{ items: typeof PEOPLE }>;

const Texts = () => (
  <Section title="Texts">
    <h1>Title</h1>
    <h2>Heading of a part</h2>
    <h3>Heading of a card</h3>
    <p>
      Text with a <a href={hrefTo('parts')}>address of these parts</a> and <code>code</code>,{' '}
      <span class="faint">muted</span>, <span class="good">ok</span>, <span class="warn">warning</span>,{' '}
      <span class="bad">danger</span>.
    </p>
    <small>Small text</small>
  </Section>
);

const Buttons = () => (
  <Section title="Buttons and menus">
    <div class="row">
      <Button class="primary">Primary</Button>
      <Button>Default</Button>
      <Button class="quiet">Quiet</Button>
      <Button class="danger">Dangerous</Button>
      <Button disabled>Disabled</Button>
      <Menu
        label="Actions on anna.keller"
        on="anna.keller"
        of={[{ label: 'Open', href: hrefTo('parts') }, { ...secret, label: 'Create code' }, lock]}
      />
      <Acts on="anna.keller" of={[lock, refused, secret]} />
    </div>
  </Section>
);

function Fields() {
  const [person, setPerson] = useState<string>();
  return (
    <Section title="Fields">
      <Form submit="Save" onSubmit={async () => {}} class="card">
        <Field label="Text" name="text" hint="With a hint" placeholder="Placeholder" />
        <Field label="Choice" name="choice" options={{ one: 'One', two: 'Two' }} />
        <Field label="Until" name="until" type="datetime-local" />
        <Field label="Password" name="password" type="password" autocomplete="off" />
        <Picker
          label="Roles"
          name="roles"
          known={ROLES}
          now={['editor']}
          creates="role"
          hint="Search, or type a new name."
        />
        <People label="Person" name="person" value={person} onPick={setPerson} />
        <Field label="Notes" name="notes" isLong />
      </Form>
    </Section>
  );
}

const Faces = () => (
  <Section title="People, chips and badges">
    <div class="row">
      {PEOPLE.map((person) => (
        <Avatar key={person.username} of={person} isLarge />
      ))}
      {PEOPLE.map(({ state }) => (
        <span key={state} class={`badge ${BADGES[state]}`}>
          {state}
        </span>
      ))}
      <Chip of="editor" />
      <Chip of="state: locked" onRemove={() => {}} />
    </div>
    <Facts
      of={{
        Username: 'anna.keller',
        Phone: '',
        Name: <EditInPlace label="Name" name="name" value="Anna Keller" run={async () => {}} />,
      }}
    />
  </Section>
);

const SHAPES = ['rows', 'facts', 'lines'] as const;

const Lists = () => (
  <Section title="Lists">
    <Listing
      list={LIST}
      caption="People of the parts"
      keyOf={({ username }) => username}
      empty=""
      columns={[
        {
          label: 'Person',
          cell: (person) => (
            <span class="row">
              <Avatar of={person} /> <bdi>{person.username}</bdi>
            </span>
          ),
        },
        { label: 'State', cell: ({ state }) => <span class={`badge ${BADGES[state]}`}>{state}</span> },
      ]}
      actionsOn={() => [lock]}
    />
    <Empty title="No teams yet" next={<Button class="primary">Create team</Button>}>
      A team is a group of accounts, such as a department. Create the first one.
    </Empty>
    {SHAPES.map((shape) => (
      <Skeleton key={shape} of={shape} />
    ))}
    <Lines label="Some lines">
      <li>A line of a report</li>
      <li>Another one</li>
    </Lines>
    <Disclosure title="More">
      <p>Content that only some people need.</p>
    </Disclosure>
  </Section>
);

const Messages = () => (
  <Section title="Messages">
    <Failed error={failure('internal_error', 'The service has failed.', 500)} retry={() => {}} />
    <Failed error="The file cannot be read." />
    <div class="row">
      <Button onClick={() => notify({ done: { message: LOCKED }, undo })}>Notice</Button>
      <Button onClick={() => notify({ error: failure('internal_error', 'The service has failed.', 500) })}>
        Failure
      </Button>
    </div>
  </Section>
);

const ALL = [Texts, Buttons, Faces, Fields, Lists, Messages];

const TABS: readonly [Part, Part] = [
  { id: 'all', title: 'All' },
  { id: 'other', title: 'Another tab' },
];

/** Every part of the page, in light and dark: only in development. */
export const Parts = () => (
  <>
    <PageTitle title="Parts" note="What the screens are composed of, in light and dark">
      <Button class="primary">Main action</Button>
    </PageTitle>
    <Tabs label="Parts" of={TABS}>
      {() => (
        <div class="schemes">
          {['light', 'dark'].map((scheme) => (
            <div key={scheme} class="card" style={{ colorScheme: scheme }}>
              {ALL.map((Some) => (
                <Some key={Some} />
              ))}
            </div>
          ))}
        </div>
      )}
    </Tabs>
  </>
);
