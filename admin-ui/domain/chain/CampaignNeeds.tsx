import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { CampaignNeed } from '../../../shared/contract/headquarters/campaigns.ts';
import { dayOf, parseLocal } from '../../../shared/program/civil.ts';
import { toLocal } from '../../../shared/program/zones.ts';
import { campaignNeedsQuery, type PhaseFilter } from '../../api/chain/campaigns.ts';
import { useMe } from '../../api/session/me.ts';
import { ButtonLink } from '../../components/controls/Button.tsx';
import { Badge } from '../../components/frame/Page.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { writeDay, writeTime } from '../../i18n/civil.ts';
import { useFormat, useLocaleTag } from '../../i18n/useFormat.ts';
import '../screens/alertRows.css';

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Lists headquarters' campaigns that wait for this user, or that stores will not have in time. Shows nothing on servers
 * that are not headquarters.
 */
export function CampaignNeeds() {
  const { t } = useTranslation();
  const format = useFormat();
  const { headquarters } = useMe();
  const { rows = [], total = 0 } = useQuery({ ...campaignNeedsQuery, enabled: headquarters }).data ?? {};
  if (rows.length === 0) return null;
  const isBad = rows.some(({ late }) => late > 0);
  return (
    <section className="card alert-kind" aria-labelledby="campaign-needs">
      <header>
        <Badge tone={isBad ? 'bad' : 'info'} dot>
          {format.number(total)}
        </Badge>
        <h2 id="campaign-needs">{t('campaigns.needs.title')}</h2>
      </header>
      <ul>
        {rows.map((need) => (
          <Need key={need.id} need={need} />
        ))}
      </ul>
      {total > rows.length && <p className="alert-more">{t('campaigns.needs.more', { count: total - rows.length })}</p>}
    </section>
  );
}

function Need({ need: { id, name, asked_by, stores, late, refused, waiting, start_time } }: { need: CampaignNeed }) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const start = parseLocal(start_time);
  // Compares the start with the clock of the browser, which is good enough here: each store starts the campaign by its
  // own clock.
  const isOn = start <= toLocal(useNow() * 1000, HERE);
  const day = writeDay(locale, dayOf(start), { weekday: 'short', day: 'numeric', month: 'short' });
  const params = { campaignId: id };
  const toStores = (phase: PhaseFilter, words: string) => (
    <ButtonLink to="/campaigns/$campaignId" params={params} search={{ part: 'stores', phase }} size="small">
      {words}
    </ButtonLink>
  );
  return (
    <li className="alert-row">
      <div className="alert-text">
        <p>
          <strong>
            <Link to="/campaigns/$campaignId" params={params}>
              {name}
            </Link>
          </strong>{' '}
          {(late > 0 || !isOn) && (
            <small>
              {t(isOn ? 'campaigns.needs.began' : 'campaigns.needs.begins', {
                when: `${day}, ${writeTime(locale, start)}`,
              })}
            </small>
          )}
        </p>
        {asked_by !== null && (
          <p className="alert-detail">
            {late > 0
              ? t('campaigns.needs.asked', { name: asked_by })
              : t('campaigns.needs.askedIn', { name: asked_by, count: stores })}
          </p>
        )}
        {late > 0 && (
          <p className="alert-detail">
            {[
              t('campaigns.needs.late', { late, count: stores }),
              refused > 0 && t('campaigns.needs.refused', { count: refused }),
              waiting > 0 && t('campaigns.needs.waiting', { count: waiting }),
            ]
              .filter(Boolean)
              .join(' ')}
          </p>
        )}
      </div>
      <div className="alert-actions">
        {refused > 0 && toStores('refused', t('campaigns.needs.toRefused', { count: refused }))}
        {late > refused && toStores('late', t('campaigns.needs.toLate', { count: late }))}
        {asked_by !== null && (
          <ButtonLink to="/campaigns/$campaignId" params={params} size="small">
            {t('campaigns.needs.toApprove')}
          </ButtonLink>
        )}
      </div>
    </li>
  );
}
