/** Stories of components/lists. */
import { Monitor, Trash2 } from 'lucide-react';
import { Button } from '../../components/controls/Button.tsx';
import { type Bar, BarChart } from '../../components/lists/BarChart.tsx';
import { Chips, FindBox, type FindGroup } from '../../components/lists/FindBox.tsx';
import { Pager } from '../../components/lists/Pager.tsx';
import { SelectionBar } from '../../components/lists/SelectionBar.tsx';
import { type Stat, StatFilter } from '../../components/lists/StatFilter.tsx';
import { VirtualGrid } from '../../components/lists/VirtualGrid.tsx';
import '../../components/lists/Tile.css';
import { As, component, Holds, longText, longWord, nothing, Opener, type Say, type Section } from './story.tsx';

const bars = (say: Say, count: number, isBehind = false): Bar[] =>
  Array.from({ length: count }, (_, i) => ({
    key: i,
    text: `${say('Day', 'Tag')} ${i + 1}: ${(i * 37) % 120} ${say('plays', 'Wiedergaben')}`,
    value: (i * 37) % 120,
    ...(isBehind && { behind: 110 }),
    tick: i % Math.ceil(count / 5) === 0 ? String(i + 1) : undefined,
  }));
const LINES = [0, 40, 80, 120].map((value) => ({ value, label: String(value) }));

const rows = (say: Say): FindGroup[] => [
  {
    id: 'screens',
    title: say('Screens', 'Bildschirme'),
    rows: [
      {
        id: '1',
        name: say('Till 1', 'Kasse 1'),
        hint: say('Ground floor', 'Erdgeschoss'),
        picture: <Monitor aria-hidden />,
      },
      { id: '2', name: longText(say), hint: longText(say), aside: '4K', picture: <Monitor aria-hidden /> },
      { id: '3', name: longWord(say), picture: <Monitor aria-hidden /> },
    ],
  },
];

type FindProps = Partial<Parameters<typeof FindBox>[0]>;
function Find({ say, start = '', ...more }: FindProps & { say: Say; start?: string }) {
  return (
    <Holds start={start}>
      {(text, onText) => (
        <FindBox
          label={say('Screen', 'Bildschirm')}
          placeholder={say('Name or place', 'Name oder Ort')}
          text={text}
          onText={onText}
          groups={rows(say)}
          none={say('No screen has this name.', 'Kein Bildschirm heißt so.')}
          onChoose={nothing}
          {...more}
        />
      )}
    </Holds>
  );
}

const chips = (say: Say, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: String(i),
    name: i === 1 ? longText(say) : `${say('Till', 'Kasse')} ${i + 1}`,
    picture: <Monitor aria-hidden />,
  }));
const removeLabel = (say: Say) => (name: string) => say(`Remove ${name}`, `${name} entfernen`);

const stats = (say: Say): Stat<string>[] => [
  { value: 'all', label: say('All', 'Alle'), number: '12,480' },
  {
    value: 'offline',
    label: say('Offline', 'Offline'),
    number: '3',
    tone: 'bad',
    more: say('of 12,480', 'von 12.480'),
  },
  { value: 'warn', label: say('Need attention', 'Brauchen Aufmerksamkeit'), number: '14', tone: 'warn' },
  { value: 'new', label: say('New', 'Neu'), number: undefined },
];

const paging = (say: Say) => ({
  previous: say('Previous page', 'Vorige Seite'),
  next: say('Next page', 'Nächste Seite'),
});

const grid = (say: Say, count: number) => (
  <VirtualGrid
    label={`${count} ${say('screens', 'Bildschirme')}`}
    count={count}
    minColumn={220}
    gap={16}
    estimateRow={() => 92}
    keyOf={(i) => i}
    renderCell={(i) => (
      <a className="tile" href="#lists">
        <span className="tile-text">
          <h3>{i === 1 ? longText(say) : `${say('Till', 'Kasse')} ${i + 1}`}</h3>
          <p>{say('Ground floor', 'Erdgeschoss')}</p>
        </span>
      </a>
    )}
  />
);

export const lists: Section = {
  folder: 'lists',
  shown: [
    component(
      'BarChart',
      {
        normal: (say) => (
          <BarChart title={say('Plays per day', 'Wiedergaben je Tag')} bars={bars(say, 7, true)} lines={LINES} />
        ),
        hover: (say) => (
          <As state="hover" of="li:nth-child(3)">
            <BarChart title={say('Plays per day', 'Wiedergaben je Tag')} bars={bars(say, 7)} lines={LINES} />
          </As>
        ),
        'many items': (say) => (
          <BarChart title={say('Plays per day', 'Wiedergaben je Tag')} bars={bars(say, 92)} lines={LINES} />
        ),
        empty: (say) => <BarChart title={say('Plays per day', 'Wiedergaben je Tag')} bars={[]} lines={LINES} />,
      },
      { isWide: true },
    ),
    component('FindBox', {
      normal: (say) => (
        <Opener>
          <Find
            say={say}
            hint={say('Groups as well.', 'Auch Gruppen.')}
            chosen={['1']}
            more={say('12 more', '12 weitere')}
          />
        </Opener>
      ),
      'nothing found': (say) => (
        <Opener>
          <Find say={say} groups={[]} />
        </Opener>
      ),
      focused: (say) => (
        <As state="focus" of=".input">
          <Find say={say} />
        </As>
      ),
      disabled: (say) => <Find say={say} isDisabled />,
      'with error': (say) => <Find say={say} isInvalid start={say('Til', 'Kas')} />,
      'long text': (say) => <Find say={say} label={longText(say)} start={longText(say)} />,
    }),
    component('Chips', {
      normal: (say) => (
        <Chips
          label={say('Chosen screens', 'Gewählte Bildschirme')}
          chips={chips(say, 1)}
          onRemove={nothing}
          removeLabel={removeLabel(say)}
        />
      ),
      'many items': (say) => (
        <Chips
          label={say('Chosen screens', 'Gewählte Bildschirme')}
          chips={chips(say, 12)}
          onRemove={nothing}
          removeLabel={removeLabel(say)}
        />
      ),
      focused: (say) => (
        <As state="focus" of=".chip">
          <Chips
            label={say('Chosen screens', 'Gewählte Bildschirme')}
            chips={chips(say, 1)}
            onRemove={nothing}
            removeLabel={removeLabel(say)}
          />
        </As>
      ),
      disabled: (say) => (
        <Chips
          label={say('Chosen screens', 'Gewählte Bildschirme')}
          chips={chips(say, 2)}
          onRemove={nothing}
          removeLabel={removeLabel(say)}
          isDisabled
        />
      ),
    }),
    component('Pager', {
      normal: (say) => (
        <Holds start={1}>
          {(page, onPage) => (
            <Pager
              label={say('Pages', 'Seiten')}
              says={say('51 to 100 of 240', '51 bis 100 von 240')}
              page={page}
              pages={5}
              onPage={onPage}
              words={paging(say)}
            />
          )}
        </Holds>
      ),
      'first page': (say) => (
        <Pager
          label={say('Pages', 'Seiten')}
          says={say('1 to 50 of 240', '1 bis 50 von 240')}
          page={0}
          pages={5}
          onPage={nothing}
          words={paging(say)}
        />
      ),
      'one page': (say) => (
        <Pager
          label={say('Pages', 'Seiten')}
          says={say('1 to 3 of 3', '1 bis 3 von 3')}
          page={0}
          pages={1}
          onPage={nothing}
          words={paging(say)}
        />
      ),
    }),
    component(
      'SelectionBar',
      {
        normal: (say) => (
          <SelectionBar text={say('3 selected', '3 ausgewählt')} onClear={nothing} onAll={nothing}>
            <Button size="small">{say('Assign', 'Zuweisen')}</Button>
            <Button size="small" icon={Trash2} variant="danger-quiet">
              {say('Delete', 'Löschen')}
            </Button>
          </SelectionBar>
        ),
      },
      { isWide: true },
    ),
    component(
      'StatFilter',
      {
        normal: (say) => (
          <Holds start="offline">
            {(value, onChange) => (
              <StatFilter
                label={say('Screens by state', 'Bildschirme nach Zustand')}
                stats={stats(say)}
                value={value}
                onChange={onChange}
              />
            )}
          </Holds>
        ),
        hover: (say) => (
          <As state="hover" of=".stat">
            <StatFilter
              label={say('Screens by state', 'Bildschirme nach Zustand')}
              stats={stats(say)}
              value={undefined}
              onChange={nothing}
            />
          </As>
        ),
        focused: (say) => (
          <As state="focus" of=".stat:first-child">
            <StatFilter
              label={say('Screens by state', 'Bildschirme nach Zustand')}
              stats={stats(say)}
              value="all"
              onChange={nothing}
            />
          </As>
        ),
        'long text': (say) => (
          <StatFilter
            label={say('Screens by state', 'Bildschirme nach Zustand')}
            stats={stats(say).map((stat) => ({ ...stat, label: longText(say) }))}
            value="all"
            onChange={nothing}
          />
        ),
      },
      { isWide: true },
    ),
    component('VirtualGrid', { normal: (say) => grid(say, 3), 'many items': (say) => grid(say, 60) }, { isWide: true }),
  ],
};
