import { Clock } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { Button } from '../../components/controls/Button.tsx';
import { BlocksDialog } from '../../domain/time/BlocksDialog.tsx';
import { blocksInWords } from '../../domain/time/blocks.utils.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';

type Hours = Device['opening_hours'];

/** Opening hours in a sentence, with a button to change them. */
export function OpeningHours({
  value,
  onChange,
  isDisabled = false,
}: {
  value: Hours;
  onChange: (hours: Hours) => void;
  isDisabled?: boolean;
}) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const [asking, setAsking] = useState(false);
  return (
    <div className="field">
      <span className="field-label">{t('hours.title')}</span>
      <p className="hours-said">{blocksInWords(value, { t, locale }) ?? t('hours.always')}</p>
      {!isDisabled && (
        <div>
          <Button icon={Clock} size="small" onPress={() => setAsking(true)}>
            {t('hours.change')}
          </Button>
        </div>
      )}
      {asking && (
        <HoursDialog
          title={t('hours.title')}
          keep={t('dayparts.keep')}
          hours={value}
          onSave={(hours) => {
            onChange(hours);
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

type HoursDialogProps = Pick<
  Parameters<typeof BlocksDialog>[0],
  'title' | 'keep' | 'isPending' | 'onSave' | 'onClose' | 'children'
> & {
  hours: Hours;
  /** Text for a screen without opening hours. @default always on */
  none?: string | undefined;
};

export function HoursDialog({ hours, none, ...rest }: HoursDialogProps) {
  const { t } = useTranslation();
  return (
    <BlocksDialog
      {...rest}
      blocks={hours}
      lead={t('hours.lead')}
      always={none ?? t('hours.alwaysLead')}
      limit={t('hours.limit')}
    />
  );
}
