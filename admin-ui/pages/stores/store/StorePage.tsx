import { useParams } from '@tanstack/react-router';
import { AppWindow, Check, KeyRound, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { storeWindowPath } from '../../../../shared/chain/tunnel.ts';
import { deleteStore, type Store, seeStoreIncidents } from '../../../../shared/contract/headquarters/stores.ts';
import { storeTransfers } from '../../../api/chain/transferFiles.ts';
import { useEdit } from '../../../api/editing/useEdit.ts';
import { client } from '../../../api/requests/client.ts';
import { Anchor, Button, ButtonLink } from '../../../components/controls/Button.tsx';
import { DangerZone } from '../../../components/frame/DangerZone.tsx';
import { Facts } from '../../../components/frame/Facts.tsx';
import { Bone, Notice, Page, Section } from '../../../components/frame/Page.tsx';
import { useNow } from '../../../components/hooks/useNow.ts';
import { Incidents } from '../../../domain/chain/Incidents.tsx';
import { TransferFiles } from '../../../domain/chain/TransferFiles.tsx';
import { Unanswered } from '../../../domain/records/QueryFailure.tsx';
import { RecordPage } from '../../../domain/records/RecordPage.tsx';
import { DeleteRecord } from '../../../domain/saving/DeleteRecord.tsx';
import { readableFingerprint } from '../../../domain/screens/fingerprint.utils.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import { LineBadge } from '../LineBadge.tsx';
import { isPlaced } from '../map/place.utils.ts';
import { EditStore } from './EditStore.tsx';
import { NewCode } from './NewCode.tsx';
import '../stores.css';
import { usePlaceWords } from '../map/usePlaceWords.ts';
import { ValuesSection } from './StoreValues.tsx';
import { Troubles } from './Troubles.tsx';
import { useStoreData } from './useStoreData.ts';
import { NAMED, useClockWords, useLineSince } from './useTroubleWords.ts';

export function StorePage() {
  const { t } = useTranslation();
  const { storeId } = useParams({ from: '/shell/stores/$storeId' });
  const data = useStoreData(storeId);
  return (
    <RecordPage
      query={data.query}
      record={data.store}
      name={data.store?.name}
      list={{ to: '/stores', label: t('stores.tabs.all') }}
      bones={<Bone height="20rem" radius="var(--r-l)" />}
    >
      {(store, back) => <StoreDetail store={store} data={data} back={back} />}
    </RecordPage>
  );
}

type DetailProps = { store: Store; data: ReturnType<typeof useStoreData>; back: ReactNode };

function StoreDetail({ store, data: { mayManage, mayCarry, etag, incidents, stick }, back }: DetailProps) {
  const { t } = useTranslation();
  const [doing, setDoing] = useState<'edit' | 'code'>();
  const replaces = store.line === 'up' || store.line === 'down';
  const stop = () => setDoing(undefined);
  return (
    <Page
      before={back}
      title={store.name}
      lead={[store.region, ...store.tags].filter(Boolean).join(' · ') || undefined}
      actions={
        <>
          <LineBadge line={store.line} />
          {store.line === 'up' && (
            <Anchor href={`${storeWindowPath(store.id)}/`} target="_blank" rel="noreferrer" icon={AppWindow}>
              {t('store.openWindow')}
            </Anchor>
          )}
          {mayManage && (
            <>
              <Button icon={Pencil} onPress={() => setDoing('edit')}>
                {t('store.edit')}
              </Button>
              <Button icon={KeyRound} onPress={() => setDoing('code')}>
                {replaces ? t('store.replace') : t('store.newCode')}
              </Button>
            </>
          )}
          <ButtonLink to="/plays" search={{ store: store.id }}>
            {t('store.plays')}
          </ButtonLink>
        </>
      }
    >
      {store.note !== '' && <p className="store-note">{store.note}</p>}
      <div className="store-page">
        <div className="column">
          <Section title={t('store.troubles')}>
            {store.troubles.length > 0 ? (
              <div className="card pad">
                <Troubles store={store} />
              </div>
            ) : (
              <Notice tone={store.line === 'up' ? 'good' : 'info'} title={t(`store.fine.${store.line}`)} />
            )}
          </Section>
          <DarkScreens store={store} />
          <ValuesSection store={store} mayManage={mayManage} />
          <StoreIncidents store={store} query={incidents} mayManage={mayManage} />
        </div>
        <div className="column">
          <Section title={t('store.state')}>
            <StoreState store={store} />
          </Section>
          <Section title={t('store.details')}>
            <StoreFacts store={store} />
          </Section>
          <TransferFiles
            query={stick}
            actions={storeTransfers(store.id)}
            topics={['stores']}
            lead={t('sticks.leadHeadquarters')}
            write={t('sticks.write')}
            cannot={t('sticks.cannotStore')}
            mayChange={mayCarry}
          />
          {mayManage && <RemoveStore store={store} />}
        </div>
      </div>
      {doing === 'edit' && <EditStore store={store} etag={etag} onClose={stop} />}
      {doing === 'code' && <NewCode store={store} onClose={stop} />}
    </Page>
  );
}

function DarkScreens({ store: { dark_names: names, screens_dark: dark } }: { store: Store }) {
  const { t } = useTranslation();
  // The sentence above already contains up to `NAMED` names.
  if (names.length <= NAMED || !dark) return null;
  return (
    <Section
      title={t('store.darkScreens')}
      lead={dark > names.length ? t('store.darkMore', { shown: names.length, total: dark }) : undefined}
    >
      <ul className="card store-dark">
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </Section>
  );
}

type IncidentsProps = { store: Store; query: ReturnType<typeof useStoreData>['incidents']; mayManage: boolean };

function StoreIncidents({ store, query, mayManage }: IncidentsProps) {
  const { t } = useTranslation();
  const see = useEdit({
    topics: ['stores'],
    run: () => client.call(seeStoreIncidents, { params: { id: store.id } }),
    said: () => t('store.seenDone'),
  });
  const unseen = query.data?.some(({ seen_at }) => seen_at === null) ?? false;
  return (
    <Section
      title={t('store.incidents')}
      lead={query.data?.length ? t('store.incidentsLead') : undefined}
      actions={
        mayManage &&
        unseen && (
          <Button size="small" icon={Check} isPending={see.isPending} onPress={() => see.mutate()}>
            {t('store.seenAll')}
          </Button>
        )
      }
    >
      <Unanswered query={query} bones={<Bone height="6rem" radius="var(--r-l)" />} />
      {query.data?.length === 0 && <p className="note">{t('store.noIncidents')}</p>}
      {query.data && query.data.length > 0 && <Incidents incidents={query.data} />}
    </Section>
  );
}

/** Section with the last report of the store. */
function StoreState({ store }: { store: Store }) {
  const { t } = useTranslation();
  const format = useFormat();
  const since = useLineSince();
  const clock = useClockWords();
  const number = (value: number | null) => (value === null ? null : format.number(value));
  const { screens_total: total, disk_free_bytes: free, disk_total_bytes: disk } = store;
  return (
    <div className="card pad">
      <Facts
        facts={[
          [t('stores.column.line'), [t(`stores.lines.${store.line}`), since(store)].filter(Boolean).join(' · ')],
          [
            t('stores.column.screens'),
            total === null ? null : t('stores.screensOf', { online: store.screens_online ?? 0, total }),
          ],
          [t('stores.troubles.screens_dark'), number(store.screens_dark)],
          [t('stores.troubles.screens_behind'), number(store.screens_behind)],
          [t('stores.column.waiting'), number(store.waiting)],
          [
            t('stores.column.disk'),
            free === null || disk === null
              ? null
              : t('store.freeOf', { free: format.bytes(free), total: format.bytes(disk) }),
          ],
          [
            t('stores.column.clock'),
            store.clock_seconds === null
              ? null
              : Math.abs(store.clock_seconds) < 1
                ? t('store.clockRight')
                : clock(store.clock_seconds),
          ],
          [t('stores.column.version'), store.version],
        ]}
      />
    </div>
  );
}

function StoreFacts({ store }: { store: Store }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const placeWords = usePlaceWords();
  const on = (at: number | null) => (at === null ? null : format.dateTime(at));
  return (
    <div className="card pad">
      <Facts
        facts={[
          [t('store.onMap'), isPlaced(store) ? placeWords(store) : null],
          [t('store.server'), store.server_name || null],
          [t('store.workspace'), store.workspace_name || null],
          [t('store.heard'), store.heard_at === null ? null : format.ago(store.heard_at, now)],
          [t('store.createdOn'), on(store.created_at)],
          [t('store.enrolledOn'), on(store.enrolled_at)],
          [t('store.leftOn'), on(store.left_at)],
          [
            t('store.code'),
            store.code_expires_at !== null && store.code_expires_at > now
              ? t('store.codeValid', { date: format.dateTime(store.code_expires_at) })
              : null,
          ],
          [t('store.fingerprint'), store.fingerprint && readableFingerprint(store.fingerprint)],
        ]}
      />
    </div>
  );
}

function RemoveStore({ store }: { store: Store }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <DangerZone title={t('store.removeTitle')} lead={t('store.removeLead')}>
      <Button icon={Trash2} variant="danger-quiet" onPress={() => setAsking(true)}>
        {t('store.remove')}
      </Button>
      {asking && (
        <DeleteRecord
          topics={['stores']}
          run={() => client.call(deleteStore, { params: { id: store.id } })}
          to="/stores"
          title={t('store.removeAsk', { name: store.name })}
          confirm={t('store.remove')}
          said={() => t('store.removed', { name: store.name })}
          onClose={() => setAsking(false)}
        >
          <p>{t('store.removeEffects')}</p>
          <p>{t('store.removeStays')}</p>
        </DeleteRecord>
      )}
    </DangerZone>
  );
}
