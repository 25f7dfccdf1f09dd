import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { useTranslation } from 'react-i18next';
import { Orientation } from '../../../shared/contract/screens/devices.ts';

type Props = { value: Orientation; onChange: (value: Orientation) => void; isDisabled: boolean };

export function OrientationField({ value, onChange, isDisabled }: Props) {
  const { t } = useTranslation();
  return (
    <RadioGroup
      className="field"
      value={value}
      onChange={(v) => onChange(v as Orientation)}
      isDisabled={isDisabled}
      orientation="horizontal"
    >
      <Label>{t('screen.orientation')}</Label>
      <div className="orientations">
        {Orientation.options.map((degrees) => (
          <Radio key={degrees} value={degrees} className="orientation">
            <span className="orientation-box" aria-hidden>
              <span style={{ transform: `rotate(${degrees}deg)` }} />
            </span>
            {t(`screen.orientationOf.${degrees}`)}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
