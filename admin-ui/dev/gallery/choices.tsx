/** Stories of components/choices. */
import { Copy, LayoutGrid, List, Pencil, Trash2 } from 'lucide-react';
import { ListBox } from 'react-aria-components/ListBox';
import { Checkbox, Segments, Switch } from '../../components/choices/Choices.tsx';
import { ClosedSelect } from '../../components/choices/ClosedSelect.tsx';
import { LongSelect } from '../../components/choices/LongSelect.tsx';
import { Menu, MenuItem, RowMenu } from '../../components/choices/Menu.tsx';
import { RadioCards } from '../../components/choices/RadioCards.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { SelectBox } from '../../components/choices/SelectBox.tsx';
import { Choosable, SelectFrame } from '../../components/choices/SelectFrame.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { As, component, Holds, longText, longWord, nothing, Opener, type Say, type Section } from './story.tsx';

const hint = (say: Say) => say('Screens need a sensor for this.', 'Dafür brauchen Bildschirme einen Sensor.');

function Dimming({ say, on = true, ...more }: Partial<Parameters<typeof Switch>[0]> & { say: Say; on?: boolean }) {
  return (
    <Holds start={on}>
      {(isSelected, onChange) => (
        <Switch isSelected={isSelected} onChange={onChange} {...more}>
          {more.children ?? say('Dim at night', 'Nachts abdunkeln')}
        </Switch>
      )}
    </Holds>
  );
}

function Sound({ say, on = true, ...more }: Partial<Parameters<typeof Checkbox>[0]> & { say: Say; on?: boolean }) {
  return (
    <Holds start={on}>
      {(isSelected, onChange) => (
        <Checkbox isSelected={isSelected} onChange={onChange} {...more}>
          {more.children ?? say('Play with sound', 'Mit Ton abspielen')}
        </Checkbox>
      )}
    </Holds>
  );
}

const order = (say: Say) => [
  { value: 'listed', label: say('In the listed order', 'In der Reihenfolge der Liste') },
  {
    value: 'random',
    label: say('In random order', 'In zufälliger Reihenfolge'),
    hint: say('Each item once per round.', 'Jeden Eintrag einmal je Runde.'),
  },
  { value: 'long', label: longText(say), hint: longText(say) },
];

function Order({
  say,
  start = 'listed',
  ...more
}: Partial<Parameters<typeof Select>[0]> & { say: Say; start?: string | null }) {
  return (
    <Holds start={start}>
      {(value, onChange) => (
        <Opener>
          <Select
            label={say('Order', 'Reihenfolge')}
            options={order(say)}
            value={value}
            onChange={onChange}
            {...more}
          />
        </Opener>
      )}
    </Holds>
  );
}

const screens = (say: Say) =>
  Array.from({ length: 120 }, (_, i) => ({ value: String(i), label: `${say('Screen', 'Bildschirm')} ${i + 1}` }));

const items = (say: Say) => (
  <>
    <MenuItem icon={Pencil}>{say('Rename', 'Umbenennen')}</MenuItem>
    <MenuItem icon={Copy} hint={longText(say)}>
      {say('Duplicate', 'Duplizieren')}
    </MenuItem>
    <MenuItem isDisabled>{say('Move', 'Verschieben')}</MenuItem>
    <MenuItem icon={Trash2} danger>
      {say('Delete', 'Löschen')}
    </MenuItem>
  </>
);

const views = (say: Say) =>
  [
    { value: 'grid', label: say('Tiles', 'Kacheln'), icon: LayoutGrid },
    { value: 'list', label: say('List', 'Liste'), icon: List },
  ] as const;

export const choices: Section = {
  folder: 'choices',
  shown: [
    component('Switch', {
      on: (say) => <Dimming say={say} hint={hint(say)} />,
      off: (say) => <Dimming say={say} on={false} />,
      hover: (say) => (
        <As state="hover" of=".switch">
          <Dimming say={say} on={false} />
        </As>
      ),
      focused: (say) => (
        <As state="focus" of=".switch">
          <Dimming say={say} />
        </As>
      ),
      disabled: (say) => <Dimming say={say} isDisabled hint={hint(say)} />,
      'long text': (say) => (
        <Dimming say={say} hint={longWord(say)}>
          {longText(say)}
        </Dimming>
      ),
    }),
    component('Checkbox', {
      on: (say) => <Sound say={say} hint={hint(say)} />,
      off: (say) => <Sound say={say} on={false} />,
      some: (say) => <Sound say={say} isIndeterminate />,
      hover: (say) => (
        <As state="hover" of=".checkbox">
          <Sound say={say} on={false} />
        </As>
      ),
      focused: (say) => (
        <As state="focus" of=".checkbox">
          <Sound say={say} />
        </As>
      ),
      disabled: (say) => <Sound say={say} isDisabled hint={hint(say)} />,
      'long text': (say) => (
        <Sound say={say} hint={longWord(say)}>
          {longText(say)}
        </Sound>
      ),
    }),
    component('Segments', {
      normal: (say) => (
        <Holds<'grid' | 'list'> start="grid">
          {(value, onChange) => (
            <Segments label={say('View', 'Ansicht')} value={value} onChange={onChange} options={views(say)} />
          )}
        </Holds>
      ),
      'only icons': (say) => (
        <Segments
          label={say('View', 'Ansicht')}
          value="list"
          onChange={nothing}
          options={views(say).map((view) => ({ ...view, iconOnly: true }))}
        />
      ),
      hover: (say) => (
        <As state="hover" of="button">
          <Segments label={say('View', 'Ansicht')} value="list" onChange={nothing} options={views(say)} />
        </As>
      ),
      focused: (say) => (
        <As state="focus" of="button:first-child">
          <Segments label={say('View', 'Ansicht')} value="list" onChange={nothing} options={views(say)} />
        </As>
      ),
      'many items': (say) => (
        <Segments
          label={say('Period', 'Zeitraum')}
          value="0"
          onChange={nothing}
          options={['Yesterday', 'Last week', 'Last month', 'Last quarter', 'Last year'].map((english, i) => ({
            value: String(i),
            label: say(english, ['Gestern', 'Letzte Woche', 'Letzter Monat', 'Letztes Quartal', 'Letztes Jahr'][i]!),
          }))}
        />
      ),
    }),
    component('RadioCards', {
      normal: (say) => (
        <Holds start="listed">
          {(value, onChange) => (
            <RadioCards label={say('Order', 'Reihenfolge')} options={order(say)} value={value} onChange={onChange} />
          )}
        </Holds>
      ),
      hover: (say) => (
        <As state="hover" of=".radio-card">
          <RadioCards
            label={say('Order', 'Reihenfolge')}
            options={order(say).slice(0, 2)}
            value="listed"
            onChange={nothing}
          />
        </As>
      ),
      focused: (say) => (
        <As state="focus" of=".radio-card:first-child">
          <RadioCards
            label={say('Order', 'Reihenfolge')}
            options={order(say).slice(0, 2)}
            value="random"
            onChange={nothing}
          />
        </As>
      ),
    }),
    component('Select', {
      normal: (say) => <Order say={say} hint={hint(say)} />,
      hover: (say) => (
        <As state="hover" of=".input">
          <Order say={say} />
        </As>
      ),
      focused: (say) => (
        <As state="focus" of=".input">
          <Order say={say} />
        </As>
      ),
      empty: (say) => (
        <Select
          label={say('Order', 'Reihenfolge')}
          options={order(say)}
          value={null}
          onChange={nothing}
          placeholder={say('Choose an order', 'Reihenfolge wählen')}
        />
      ),
      disabled: (say) => (
        <Select label={say('Order', 'Reihenfolge')} options={order(say)} value="random" onChange={nothing} isDisabled />
      ),
      'long text': (say) => (
        <Select label={longText(say)} options={order(say)} value="long" onChange={nothing} hint={longWord(say)} />
      ),
    }),
    component('LongSelect', {
      'many items': (say) => (
        <Holds start="77">
          {(value, onChange) => (
            <Opener>
              <LongSelect
                label={say('Screen', 'Bildschirm')}
                options={screens(say)}
                value={value}
                onChange={onChange}
              />
            </Opener>
          )}
        </Holds>
      ),
    }),
    component('ClosedSelect', {
      normal: (say) => (
        <ClosedSelect label={say('Screen', 'Bildschirm')} says={say('Till 1', 'Kasse 1')} onOpen={nothing} />
      ),
      focused: (say) => (
        <As state="focus" of=".input">
          <ClosedSelect label={say('Screen', 'Bildschirm')} says={say('Till 1', 'Kasse 1')} onOpen={nothing} />
        </As>
      ),
      disabled: (say) => (
        <ClosedSelect label={say('Screen', 'Bildschirm')} says={say('Till 1', 'Kasse 1')} onOpen={nothing} isDisabled />
      ),
      'long text': (say) => <ClosedSelect label={longText(say)} says={longText(say)} onOpen={nothing} />,
    }),
    component('SelectFrame', {
      normal: (say) => (
        <SelectFrame label={say('Order', 'Reihenfolge')} value="listed" onChange={nothing} says={order(say)[0]!.label}>
          <ListBox aria-label={say('Order', 'Reihenfolge')} className="menu">
            <Choosable option={order(say)[0]!} />
          </ListBox>
        </SelectFrame>
      ),
    }),
    component('Choosable', {
      'in a list': (say) => (
        <ListBox
          aria-label={say('Order', 'Reihenfolge')}
          className="menu"
          selectionMode="single"
          defaultSelectedKeys={['random']}
          items={order(say).map((option) => ({ id: option.value, option }))}
        >
          {({ option }) => <Choosable option={option} />}
        </ListBox>
      ),
    }),
    component('Menu', {
      normal: (say) => (
        <div className="story-row">
          <Opener>
            <Menu
              label={say('Actions', 'Aktionen')}
              trigger={<Button>{say('Actions', 'Aktionen')}</Button>}
              placement="bottom start"
            >
              {items(say)}
            </Menu>
          </Opener>
        </div>
      ),
    }),
    component('RowMenu', {
      normal: (say) => (
        <div className="story-row">
          <Opener>
            <RowMenu label={say('More actions for Till 1', 'Weitere Aktionen für Kasse 1')} items={() => items(say)} />
          </Opener>
        </div>
      ),
      focused: (say) => (
        <div className="story-row">
          <As state="focus" of="button">
            <RowMenu label={say('More actions for Till 2', 'Weitere Aktionen für Kasse 2')} items={() => items(say)} />
          </As>
        </div>
      ),
    }),
    component('MenuItem', {
      'many items': (say) => (
        <div className="story-row">
          <Opener>
            <Menu
              label={say('Screens', 'Bildschirme')}
              trigger={<Button>{say('Screens', 'Bildschirme')}</Button>}
              placement="bottom start"
            >
              {screens(say)
                .slice(0, 40)
                .map(({ value, label }) => (
                  <MenuItem key={value}>{label}</MenuItem>
                ))}
            </Menu>
          </Opener>
        </div>
      ),
    }),
    component('SelectBox', {
      normal: (say) => (
        <div className="story-row">
          <Holds start={false}>
            {(isSelected, set) => (
              <SelectBox
                label={say('Select Till 1', 'Kasse 1 auswählen')}
                isSelected={isSelected}
                onToggle={() => set(!isSelected)}
              />
            )}
          </Holds>
        </div>
      ),
      selected: (say) => (
        <div className="story-row">
          <SelectBox label={say('Select Till 2', 'Kasse 2 auswählen')} isSelected onToggle={nothing} />
        </div>
      ),
      focused: (say) => (
        <div className="story-row">
          <As state="focus" of="input">
            <SelectBox label={say('Select Till 3', 'Kasse 3 auswählen')} isSelected={false} onToggle={nothing} />
          </As>
        </div>
      ),
    }),
  ],
};
