import { ListChecks, Package, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { STORES_PAGE } from '../../api/chain/stores.ts';
import { Button, ButtonLink } from '../../components/controls/Button.tsx';
import { Bone, Empty, Page } from '../../components/frame/Page.tsx';
import { CampaignNeeds } from '../../domain/chain/CampaignNeeds.tsx';
import { Pages } from '../../domain/records/Pages.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import shopDrawing from '../../drawings/shop-front.svg?raw';
import { SendCommand } from './commands/SendCommand.tsx';
import { StoreMap } from './map/StoreMap.tsx';
import { NeedsList } from './NeedsList.tsx';
import { NoneFound } from './NoneFound.tsx';
import { StoreFilters } from './StoreFilters.tsx';
import { StoreTable } from './StoreTable.tsx';
import { AddStore } from './store/AddStore.tsx';
import { StoreNumbers } from './store/StoreNumbers.tsx';
import './stores.css';
import { type StoresData, useStoresData } from './useStoresData.ts';
import { ValuesTable } from './ValuesTable.tsx';

/** Headquarters' page with all stores. Works for fifty as well as for five thousand stores. */
export function StoresPage() {
  const { t } = useTranslation();
  const data = useStoresData();
  const [adding, setAdding] = useState(false);
  const add = data.mayManage && (
    <Button icon={Plus} variant="primary" onPress={() => setAdding(true)}>
      {t('stores.add')}
    </Button>
  );
  const count = data.counts.data?.stores;
  const isEmpty = count === 0 && !data.narrowed;
  return (
    <Page
      title={t('nav.stores')}
      lead={count ? t('stores.summary', { count }) : undefined}
      actions={
        !isEmpty && (
          <>
            <ButtonLink to="/stores/orders" icon={ListChecks}>
              {t('orders.title')}
            </ButtonLink>
            <ButtonLink to="/stores/software" icon={Package}>
              {t('software.title')}
            </ButtonLink>
            {data.mayManage && <ValuesTable data={data} />}
            {data.mayCommand && <SendCommand data={data} />}
            {add}
          </>
        )
      }
    >
      {isEmpty ? (
        <Empty drawing={shopDrawing} title={t('stores.emptyTitle')} actions={add}>
          {data.mayManage ? t('stores.emptyHelp') : t('stores.emptyViewer')}
        </Empty>
      ) : (
        <>
          <StoreNumbers data={data} />
          {isFirstLook(data) && <CampaignNeeds />}
          <StoreFilters data={data} />
          {data.isMap ? <StoreMap data={data} /> : <List data={data} />}
        </>
      )}
      {adding && <AddStore onClose={() => setAdding(false)} />}
    </Page>
  );
}

/**
 * Returns whether the list shows all stores, or all stores with problems. Only then does the page also list
 * campaigns that need attention.
 */
const isFirstLook = ({ isMap, narrowed, filter: { q, region, tag, line, trouble, place } }: StoresData): boolean =>
  !isMap && (!narrowed || (trouble === 'any' && [q, region, tag, line, place].every((one) => one === undefined)));

function List({ data }: { data: StoresData }) {
  const { t } = useTranslation();
  const { list, rows, total, page, look, filter, clear } = data;
  const needs = filter.trouble !== undefined;
  if (!list.data) return <Unanswered query={list} bones={<Bone height="24rem" radius="var(--r-l)" />} />;
  if (total === 0 && filter.trouble === 'any' && !filter.q && !filter.region && !filter.tag)
    return (
      <Empty drawing={shopDrawing} title={t('stores.noneNeeds')}>
        {t('stores.noneNeedsHelp')}
      </Empty>
    );
  if (rows.length === 0) return <NoneFound onClear={clear} />;
  return (
    <>
      {needs ? <NeedsList stores={rows} /> : <StoreTable stores={rows} />}
      <Pages page={page} size={STORES_PAGE} shown={rows.length} total={total} onPage={(next) => look({ page: next })} />
    </>
  );
}
