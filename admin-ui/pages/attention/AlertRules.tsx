import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BodyOf } from '../../../shared/contract/endpoint.ts';
import {
  type AlertDigest,
  type AlertRule,
  thresholdOf,
  updateAlertDigest,
  updateAlertRule,
} from '../../../shared/contract/server/alerts.ts';
import { MINUTE_MS } from '../../../shared/program/civil.ts';
import { alertDigestQuery, alertRulesQuery } from '../../api/alerts.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { Checkbox, Switch } from '../../components/choices/Choices.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { NumberField } from '../../components/fields/NumberField.tsx';
import { Bone } from '../../components/frame/Page.tsx';
import { writeHour } from '../../i18n/civil.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';

/** Ways to report an alert in addition to the alerts page. */
const CHANNELS = ['mail', 'webhook', 'mqtt'] as const;

/** Dialog for the thresholds of alerts and the people who are notified. Each change takes effect at once. */
export function AlertRules({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const rules = useQuery(alertRulesQuery).data;
  const digest = useQuery(alertDigestQuery).data;
  return (
    <Dialog
      title={t('attention.rules')}
      size="wide"
      holdsAtOnce
      onClose={onClose}
      actions={<Button onPress={onClose}>{t('common.done')}</Button>}
    >
      <p>{t('attention.rulesLead')}</p>
      {!(rules && digest) && <Bone height="20rem" />}
      {rules && digest && (
        <>
          <Digest digest={digest} />
          <div className="alert-rules">
            {/* Column headings. Hidden in a narrow window, where each field has its own label. */}
            <div className="alert-rules-head" aria-hidden>
              <span />
              <span>{t('attention.rule.threshold')}</span>
              <span>{t('attention.rule.minutes')}</span>
              {CHANNELS.map((channel) => (
                <span key={channel}>{t(`attention.rule.${channel}`)}</span>
              ))}
            </div>
            <ul>
              {rules.map((rule) => (
                <Rule key={rule.kind} rule={rule} />
              ))}
            </ul>
          </div>
        </>
      )}
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
      <fieldset className="alert-told">
        <legend>{t('attention.rule.told')}</legend>
        {CHANNELS.map((channel) => (
          <Checkbox
            key={channel}
            isSelected={rule[channel]}
            isDisabled={!rule.enabled}
            onChange={(on) => save.mutate({ [channel]: on })}
          >
            {t(`attention.rule.${channel}`)}
          </Checkbox>
        ))}
      </fieldset>
    </li>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

function Digest({ digest }: { digest: AlertDigest }) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const save = useEdit<BodyOf<typeof updateAlertDigest>>({
    topics: ['alerts'],
    run: (body) => client.call(updateAlertDigest, { body }),
  });
  return (
    <div className="alert-digest">
      <Switch
        isSelected={digest.enabled}
        hint={t('attention.digest.hint')}
        onChange={(enabled) => save.mutate({ enabled })}
      >
        {t('attention.digest.name')}
      </Switch>
      <Select
        label={t('attention.digest.hour')}
        value={String(digest.hour)}
        options={HOURS.map((hour) => ({ value: String(hour), label: writeHour(locale, hour * 60 * MINUTE_MS) }))}
        onChange={(hour) => save.mutate({ hour: Number(hour) })}
        isDisabled={!digest.enabled}
      />
      <Checkbox
        isSelected={digest.when_nothing}
        isDisabled={!digest.enabled}
        onChange={(when_nothing) => save.mutate({ when_nothing })}
      >
        {t('attention.digest.whenNothing')}
      </Checkbox>
    </div>
  );
}
