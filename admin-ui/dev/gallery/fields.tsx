/** Stories of components/fields. */
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import { AmountField } from '../../components/fields/AmountField.tsx';
import { ColorField } from '../../components/fields/ColorField.tsx';
import { CopyField } from '../../components/fields/CopyField.tsx';
import { ChangeForm, Form } from '../../components/fields/Form.tsx';
import { NumberField } from '../../components/fields/NumberField.tsx';
import { SearchField } from '../../components/fields/SearchField.tsx';
import { Swatches } from '../../components/fields/Swatches.tsx';
import { PasswordField, TextField } from '../../components/fields/TextField.tsx';
import { TimeZoneField } from '../../components/fields/TimeZoneField.tsx';
import { As, component, Holds, longText, longWord, nothing, Opener, type Say, type Section } from './story.tsx';

type TextProps = Partial<Parameters<typeof TextField>[0]> & { start?: string };

function Name({ say, start = '', ...more }: TextProps & { say: Say }) {
  return (
    <Holds start={start || say('Shop window', 'Schaufenster')}>
      {(value, onChange) => <TextField label={say('Name', 'Name')} value={value} onChange={onChange} {...more} />}
    </Holds>
  );
}

function Password({ say, ...more }: Partial<Parameters<typeof PasswordField>[0]> & { say: Say }) {
  return (
    <Holds start="a long ladder">
      {(value, onChange) => (
        <PasswordField label={say('Password', 'Passwort')} value={value} onChange={onChange} {...more} />
      )}
    </Holds>
  );
}

function Duration({
  say,
  start = 12,
  ...more
}: Partial<Parameters<typeof NumberField>[0]> & { say: Say; start?: number | null }) {
  return (
    <Holds<number | null> start={start}>
      {(value, onChange) => (
        <NumberField
          label={say('Duration', 'Dauer')}
          value={value}
          onChange={onChange}
          min={1}
          max={3600}
          unit={say('seconds', 'Sekunden')}
          {...more}
        />
      )}
    </Holds>
  );
}

function Colour({
  say,
  start = '#25408f',
  ...more
}: Partial<Parameters<typeof ColorField>[0]> & { say: Say; start?: string }) {
  return (
    <Holds start={start}>
      {(value, onChange) => (
        <ColorField label={say('Background', 'Hintergrund')} value={value} onChange={onChange} {...more} />
      )}
    </Holds>
  );
}

const colours = (say: Say) => [
  { value: '#25408f', name: say('Blue', 'Blau') },
  { value: '#1f6b52', name: say('Green', 'Grün') },
  { value: '#c98a2b', name: say('Ochre', 'Ocker') },
  { value: '#c22f36', name: say('Red', 'Rot') },
];
function Choice({ say, start = '#1f6b52', isDisabled = false }: { say: Say; start?: string; isDisabled?: boolean }) {
  return (
    <Holds start={start}>
      {(value, onChange) => (
        <Swatches
          label={say('Colour in the plan', 'Farbe im Plan')}
          colours={colours(say)}
          value={value}
          onChange={onChange}
          isDisabled={isDisabled}
        />
      )}
    </Holds>
  );
}

function Change({ say, valid = true, isPending = false }: { say: Say; valid?: boolean; isPending?: boolean }) {
  const { t } = useTranslation();
  return (
    <ChangeForm changed valid={valid} isPending={isPending} onSave={nothing} onDiscard={nothing}>
      <Name
        say={say}
        label={t('common.name')}
        {...(!valid && { error: t('form.missing', { field: t('common.name') }) })}
      />
    </ChangeForm>
  );
}

const hint = (say: Say) => say('Shown to everybody in this workspace.', 'Für alle in diesem Arbeitsbereich sichtbar.');

export const fields: Section = {
  folder: 'fields',
  shown: [
    component('TextField', {
      normal: (say) => <Name say={say} hint={hint(say)} />,
      hover: (say) => (
        <As state="hover" of=".input">
          <Name say={say} />
        </As>
      ),
      focused: (say) => (
        <As state="focus" of=".input">
          <Name say={say} />
        </As>
      ),
      empty: (say) => (
        <TextField label={say('Name', 'Name')} placeholder={say('For example: Till 1', 'Zum Beispiel: Kasse 1')} />
      ),
      disabled: (say) => <Name say={say} isDisabled hint={hint(say)} />,
      'with error': (say) => (
        <Name
          say={say}
          error={say(
            'This name is in use. Choose another name.',
            'Dieser Name ist vergeben. Wählen Sie einen anderen.',
          )}
        />
      ),
      'long text': (say) => <Name say={say} label={longText(say)} start={longText(say)} hint={longWord(say)} />,
      'several lines': (say) => (
        <TextField multiline label={say('Note', 'Notiz')} defaultValue={`${longText(say)}\n${longText(say)}`} />
      ),
      date: (say) => <Name say={say} label={say('First day', 'Erster Tag')} type="date" start="2026-12-01" />,
    }),
    component('PasswordField', {
      normal: (say) => <Password say={say} hint={say('At least 10 characters.', 'Mindestens 10 Zeichen.')} />,
      focused: (say) => (
        <As state="focus" of=".input">
          <Password say={say} />
        </As>
      ),
      disabled: (say) => <Password say={say} isDisabled />,
      'with error': (say) => <Password say={say} error={say('The password is wrong.', 'Das Passwort ist falsch.')} />,
    }),
    component('NumberField', {
      normal: (say) => <Duration say={say} hint={say('From 1 to 3600 seconds.', '1 bis 3600 Sekunden.')} />,
      hover: (say) => (
        <As state="hover" of=".input, .steps button">
          <Duration say={say} />
        </As>
      ),
      focused: (say) => (
        <As state="focus" of=".input">
          <Duration say={say} />
        </As>
      ),
      empty: (say) => <Duration say={say} start={null} placeholder="10" />,
      disabled: (say) => <Duration say={say} isDisabled />,
      'long text': (say) => (
        <Duration say={say} label={longText(say)} unit={say('seconds per picture', 'Sekunden je Bild')} />
      ),
    }),
    component('AmountField', {
      normal: (say) => (
        <Holds start={2.5}>
          {(value, onChange) => (
            <AmountField
              label={say('Width of the frame', 'Breite des Rahmens')}
              value={value}
              onChange={onChange}
              min={0}
              max={100}
              digits={1}
              unit="mm"
            />
          )}
        </Holds>
      ),
      disabled: (say) => (
        <AmountField label={say('Columns', 'Spalten')} value={3} onChange={nothing} min={1} max={10} isDisabled />
      ),
    }),
    component('ColorField', {
      normal: (say) => (
        <Colour say={say} hint={say('Visible until the picture is loaded.', 'Sichtbar, bis das Bild geladen ist.')} />
      ),
      focused: (say) => (
        <As state="focus" of=".input">
          <Colour say={say} />
        </As>
      ),
      empty: (say) => <Colour say={say} start="" />,
      disabled: (say) => <Colour say={say} isDisabled />,
      'long text': (say) => <Colour say={say} label={longText(say)} />,
    }),
    component('Swatches', {
      normal: (say) => <Choice say={say} />,
      'another colour': (say) => <Choice say={say} start="#8a2a63" />,
      focused: (say) => (
        <As state="focus" of=".swatch:nth-child(2)">
          <Choice say={say} />
        </As>
      ),
      disabled: (say) => <Choice say={say} isDisabled />,
    }),
    component('CopyField', {
      normal: () => <CopyField label="Token" value="vt_4f7e21a09c" onCopy={async () => true} />,
      'long text': (say) => (
        <CopyField
          label={longText(say)}
          value="https://signage.market-hall.example/invite/7b1f0d5e-6a3c-4d8e-9f20-5c1a8b7d6e4f"
          onCopy={async () => true}
        />
      ),
    }),
    component('SearchField', {
      normal: (say) => (
        <Holds start="">
          {(value, onChange) => (
            <SearchField label={say('Search screens', 'Bildschirme suchen')} value={value} onChange={onChange} />
          )}
        </Holds>
      ),
      'with text': (say) => (
        <Holds start={longText(say)}>
          {(value, onChange) => (
            <SearchField label={say('Search screens', 'Bildschirme suchen')} value={value} onChange={onChange} />
          )}
        </Holds>
      ),
      focused: (say) => (
        <As state="focus" of=".input">
          <SearchField label={say('Search screens', 'Bildschirme suchen')} value="" onChange={nothing} />
        </As>
      ),
    }),
    component('TimeZoneField', {
      'many items': (say) => (
        <Holds start="Europe/Berlin">
          {(value, onChange) => (
            <Opener>
              <TimeZoneField label={say('Time zone', 'Zeitzone')} value={value} onChange={onChange} />
            </Opener>
          )}
        </Holds>
      ),
      disabled: (say) => (
        <TimeZoneField label={say('Time zone', 'Zeitzone')} value="UTC" onChange={nothing} isDisabled />
      ),
    }),
    component('Form', {
      normal: (say) => (
        <Form onSubmit={nothing}>
          <Name say={say} />
          <Duration say={say} />
          <div className="form-actions">
            <Button type="submit" variant="primary">
              {say('Create', 'Anlegen')}
            </Button>
          </div>
        </Form>
      ),
    }),
    component('ChangeForm', {
      unchanged: (say) => (
        <ChangeForm changed={false} isPending={false} onSave={nothing} onDiscard={nothing}>
          <Name say={say} />
        </ChangeForm>
      ),
      changed: (say) => <Change say={say} />,
      pending: (say) => <Change say={say} isPending />,
      'with error': (say) => <Change say={say} valid={false} />,
    }),
  ],
};
