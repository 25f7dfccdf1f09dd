import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type AlertRule, thresholdOf, updateAlertRule } from '../../../shared/contract/alerts.ts';
import type { BodyOf } from '../../../shared/contract/endpoint.ts';
import { Button } from '../../components/Button.tsx';
import { Switch } from '../../components/Choices.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { NumberField } from '../../components/NumberField.tsx';
import { Bone } from '../../components/Page.tsx';
import { alertRulesQuery } from '../../data/alerts.ts';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';

/** From when on something needs somebody. Each change holds at once. */
export function AlertRules({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const rules = useQuery(alertRulesQuery).data;
  return (
    <Dialog
      title={t('attention.rules')}
      size="wide"
      onClose={onClose}
      actions={<Button onPress={onClose}>{t('common.done')}</Button>}
    >
      <p>{t('attention.rulesLead')}</p>
      {!rules && <Bone height="20rem" />}
      <ul className="alert-rules">
        {rules?.map((rule) => (
          <Rule key={rule.kind} rule={rule} />
        ))}
      </ul>
    </Dialog>
  );
}

function Rule({ rule }: { rule: AlertRule }) {
  const { t } = useTranslation();
  const save = useEdit<Omit<BodyOf<typeof updateAlertRule>, 'kind'>>({
    topics: ['alerts'],
    run: (body) => client.call(updateAlertRule, { body: { kind: rule.kind, ...body } }),
  });
  const bounds = thresholdOf(rule.kind);
  return (
    <li>
      <Switch isSelected={rule.enabled} onChange={(enabled) => save.mutate({ enabled })}>
        {t(`attention.kind.${rule.kind}.name`)}
      </Switch>
      {bounds && (
        <NumberField
          label={t('attention.rule.threshold')}
          value={rule.threshold}
          onChange={(threshold) => threshold !== rule.threshold && save.mutate({ threshold })}
          min={bounds.min}
          max={bounds.max}
          unit={bounds.unit}
          isDisabled={!rule.enabled}
        />
      )}
      <NumberField
        label={t('attention.rule.minutes')}
        value={rule.minutes}
        onChange={(minutes) => minutes !== rule.minutes && save.mutate({ minutes })}
        min={0}
        max={1440}
        isDisabled={!rule.enabled}
      />
      <Switch isSelected={rule.mail} isDisabled={!rule.enabled} onChange={(mail) => save.mutate({ mail })}>
        {t('attention.rule.mail')}
      </Switch>
    </li>
  );
}
