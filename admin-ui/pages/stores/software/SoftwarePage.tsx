import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronLeft, Rocket } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StoreRollout, StoreSoftware } from '../../../../shared/contract/headquarters/rollouts.ts';
import { Button, ButtonLink } from '../../../components/controls/Button.tsx';
import '../../../components/lists/ListRow.css';
import { Badge, Bone, Page, Section } from '../../../components/frame/Page.tsx';
import '../../../components/lists/Table.css';
import { ROLLOUTS_PAGE, rolloutsPageQuery, storeSoftwareQuery } from '../../../api/chain/rollouts.ts';
import { useMe } from '../../../api/session/me.ts';
import { useNow } from '../../../components/hooks/useNow.ts';
import { Pages } from '../../../domain/records/Pages.tsx';
import { Unanswered } from '../../../domain/records/QueryFailure.tsx';
import { StackTable } from '../../../domain/records/StackTable.tsx';
import { useFormat } from '../../../i18n/useFormat.ts';
import { StartRollout } from './StartRollout.tsx';
import '../stores.css';
import { pageOf } from '../../../components/lists/pager.utils.ts';
import { isOpenRollout, statesOf, storesIn, toneOfRollout } from './rollouts.utils.ts';

/** Page with the versions of the stores, available releases, and rollouts. */
export function SoftwarePage() {
  const { t } = useTranslation();
  const software = useQuery(storeSoftwareQuery);
  const newest = useQuery(rolloutsPageQuery(0));
  const isBusy = newest.data?.rows.some(isOpenRollout) ?? true;
  return (
    <Page
      before={
        <Link to="/stores" className="crumb">
          <ChevronLeft aria-hidden />
          {t('stores.tabs.all')}
        </Link>
      }
      title={t('software.title')}
      lead={t('software.lead')}
    >
      <Unanswered query={software} bones={<Bone height="16rem" radius="var(--r-l)" />} />
      {software.data && (
        <div className="software">
          <Versions software={software.data} />
          <Here software={software.data} isBusy={isBusy} />
        </div>
      )}
      <Rollouts />
    </Page>
  );
}

function Versions({ software: { versions } }: { software: StoreSoftware }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Section title={t('software.versions')}>
      {versions.length === 0 ? (
        <p className="note">{t('software.noStores')}</p>
      ) : (
        <div className="table-box">
          <table className="table">
            <caption className="visually-hidden">{t('software.versions')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('software.column.version')}</th>
                <th scope="col" className="number">
                  {t('software.column.stores')}
                </th>
              </tr>
            </thead>
            <tbody>
              {versions.map(({ version, stores }) => (
                <tr key={version ?? ''}>
                  <th scope="row">{version ?? t('software.unknown')}</th>
                  <td className="number">{format.number(stores)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

function Here({ software: { releases }, isBusy }: { software: StoreSoftware; isBusy: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const me = useMe();
  const [starting, setStarting] = useState<string>();
  return (
    <Section
      title={t('software.releases')}
      lead={t('software.releasesLead')}
      actions={
        me.is_platform_admin && (
          <ButtonLink to="/settings/updates" size="small">
            {t('software.toReleases')}
          </ButtonLink>
        )
      }
    >
      {releases.length === 0 ? (
        <p className="note">{t('software.noReleases')}</p>
      ) : (
        <ul className="table-box">
          {releases.map(({ version, files, bytes, behind }) => (
            <li key={version} className="list-row">
              <div className="row-what">
                <strong>{t('updates.version', { version })}</strong>
                <small>
                  {[
                    t('software.files', { count: files }),
                    format.bytes(bytes),
                    behind === 0 ? t('software.noneBehind') : t('software.behind', { count: behind }),
                  ].join(' · ')}
                </small>
              </div>
              {me.can_admin && (
                <Button
                  size="small"
                  icon={Rocket}
                  isDisabled={isBusy || behind === 0}
                  onPress={() => setStarting(version)}
                >
                  {t('software.start')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {starting !== undefined && <StartRollout version={starting} onClose={() => setStarting(undefined)} />}
    </Section>
  );
}

function Rollouts() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/shell/stores/software' });
  const navigate = useNavigate({ from: '/stores/software' });
  const page = pageOf(search);
  const list = useQuery(rolloutsPageQuery(page));
  const { rows = [], total = 0 } = list.data ?? {};
  return (
    <Section title={t('software.rollouts')}>
      <Unanswered query={list} bones={<Bone height="10rem" radius="var(--r-l)" />} />
      {list.data && rows.length === 0 && <p className="note">{t('software.noRollouts')}</p>}
      {rows.length > 0 && (
        <>
          <RolloutsTable rollouts={rows} />
          <Pages
            page={page}
            size={ROLLOUTS_PAGE}
            shown={rows.length}
            total={total}
            onPage={(next) => void navigate({ search: next === undefined ? {} : { page: next }, replace: true })}
          />
        </>
      )}
    </Section>
  );
}

function RolloutsTable({ rollouts }: { rollouts: readonly StoreRollout[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  return (
    <StackTable
      caption={t('software.rollouts')}
      box="stores-box"
      table="stores-table"
      columns={[
        { name: t('software.column.version') },
        { name: t('software.column.started') },
        { name: t('software.column.state') },
        { name: t('software.column.healthy'), className: 'number' },
      ]}
    >
      {rollouts.map((rollout) => {
        const states = statesOf(rollout);
        return (
          <tr key={rollout.id}>
            <th scope="row">
              <Link to="/stores/software/$rolloutId" params={{ rolloutId: rollout.id }}>
                {t('updates.version', { version: rollout.version })}
              </Link>
            </th>
            <td data-label={t('software.column.started')}>
              {t('orders.sentBy', { when: format.ago(rollout.created_at, now), name: rollout.by })}
            </td>
            <td data-label={t('software.column.state')}>
              <Badge tone={toneOfRollout[rollout.status]} dot>
                {t(`software.status.${rollout.status}`)}
              </Badge>
            </td>
            <td data-label={t('software.column.healthy')} className="number">
              {t('software.healthyOf', { healthy: states.healthy, total: storesIn(states) })}
            </td>
          </tr>
        );
      })}
    </StackTable>
  );
}
