import { Pipette } from 'lucide-react';
import { useState } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { useTranslation } from 'react-i18next';
import { colorIn, paletteOf } from '../../../../shared/design/brand.ts';
import { COLOR_ROLES, type Color } from '../../../../shared/design/fills.ts';
import { useBrand } from '../../../api/brand.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { ColorField } from '../../../components/fields/ColorField.tsx';
import './panels.css';

type ColorChoiceProps = { label: string; value: Color; onChange: (color: Color) => void; isDisabled?: boolean };

/** Colours of the brand, which follow the brand when it changes, and a field for any other colour. */
export function ColorChoice({ label, value, onChange, isDisabled = false }: ColorChoiceProps) {
  const { t } = useTranslation();
  const palette = paletteOf(useBrand());
  const isOther = value.startsWith('#');
  return (
    <fieldset className="color-choice">
      <legend>{label}</legend>
      <div className="color-roles">
        {COLOR_ROLES.map((role) => (
          <button
            key={role}
            type="button"
            className="color-role"
            aria-label={t(`designer.roles.${role}`)}
            title={t(`designer.roles.${role}`)}
            aria-pressed={value === role}
            disabled={isDisabled}
            style={{ background: palette[role] }}
            onClick={() => onChange(role)}
          />
        ))}
        <DialogTrigger>
          <Button
            size="small"
            variant="quiet"
            isDisabled={isDisabled}
            aria-label={isOther ? t('designer.ownColor', { color: value.slice(0, 7) }) : t('designer.otherColor')}
          >
            {isOther ? (
              <span className="color-role" style={{ background: value }} aria-hidden />
            ) : (
              <Pipette aria-hidden />
            )}
          </Button>
          <Popover className="popover color-popover" placement="bottom end">
            <Dialog aria-label={`${label}: ${t('designer.otherColor')}`}>
              <OwnColor value={value} fallback={colorIn(palette, value).slice(0, 7)} onChange={onChange} />
            </Dialog>
          </Popover>
        </DialogTrigger>
      </div>
    </fieldset>
  );
}

type OwnColorProps = { value: Color; fallback: string; onChange: (color: Color) => void };

function OwnColor({ value, fallback, onChange }: OwnColorProps) {
  const { t } = useTranslation();
  // The field contains parts of a colour while somebody types.
  const [text, setText] = useState(value.startsWith('#') ? value.slice(0, 7) : '');
  return (
    <ColorField
      label={t('designer.otherColor')}
      value={text}
      fallback={fallback}
      onChange={(typed) => {
        setText(typed);
        if (/^#[0-9a-f]{6}$/i.test(typed)) onChange(typed as Color);
      }}
    />
  );
}
