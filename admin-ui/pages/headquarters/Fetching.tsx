import { useQueryClient } from '@tanstack/react-query';
import { Clock } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ChainLink, limitFetching } from '../../../shared/contract/headquarters/chain.ts';
import { chainQuery } from '../../api/chain/chain.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { Button } from '../../components/controls/Button.tsx';
import { NumberField } from '../../components/fields/NumberField.tsx';
import { Section } from '../../components/frame/Page.tsx';
import { BlocksDialog } from '../../domain/time/BlocksDialog.tsx';
import { blocksInWords } from '../../domain/time/blocks.utils.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';

type Limits = Pick<ChainLink, 'rate_kb' | 'hours'>;

/** Form with the limits for downloads of campaign files: speed, and hours of the day. */
export function Fetching({ link: { rate_kb, hours } }: { link: Limits }) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const save = useEdit({
    topics: ['chain'],
    oneAtATime: 'chain-fetching',
    run: (next: Limits) => client.call(limitFetching, { body: next }),
    done: (state) => {
      queries.setQueryData(chainQuery.queryKey, state);
      setAsking(false);
    },
    said: () => t('common.saved'),
  });
  const now = save.isPending ? save.variables : { rate_kb, hours };
  return (
    <Section title={t('held.fetching')} lead={t('held.fetchingLead')}>
      <div className="card pad form">
        <NumberField
          label={t('held.rate')}
          hint={t('held.rateHint')}
          value={now.rate_kb}
          min={8}
          max={1_000_000}
          unit={t('held.rateUnit')}
          onChange={(next) => next !== rate_kb && save.mutate({ hours, rate_kb: next })}
        />
        <div className="field">
          <span className="field-label">{t('held.hours')}</span>
          <p>{blocksInWords(now.hours, { t, locale }) ?? t('held.hoursAlways')}</p>
          <div>
            <Button icon={Clock} size="small" onPress={() => setAsking(true)}>
              {t('held.hoursChange')}
            </Button>
          </div>
        </div>
      </div>
      {asking && (
        <BlocksDialog
          title={t('held.hours')}
          lead={t('held.hoursLead')}
          always={t('held.hoursNone')}
          limit={t('held.hoursLimit')}
          keep={t('common.save')}
          blocks={hours}
          isPending={save.isPending}
          onSave={(next) => save.mutate({ rate_kb, hours: next })}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
