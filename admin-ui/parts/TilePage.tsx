import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OWNERS, type Owner } from '../../shared/contract/owner.ts';
import type { RightsKind } from '../../shared/contract/rights.ts';
import { Button } from '../components/Button.tsx';
import { Empty, Page } from '../components/Page.tsx';
import { SearchField } from '../components/SearchField.tsx';
import { useHeldIds } from '../data/held.ts';
import { useCanWrite } from '../data/me.ts';
import nothingFoundDrawing from '../drawings/nothing-found.svg?raw';
import { OwnerFilter } from './OwnerFilter.tsx';
import { TileGrid, type TileGridProps } from './TileGrid.tsx';
import '../components/Toolbar.css';

/** Fewer are seen at a glance. */
const SEARCH_FROM = 9;

type TilePageProps<T> = Omit<TileGridProps<T>, 'empty' | 'label'> & {
  /** Of records some of which may be headquarters'. */
  kind?: RightsKind;
  title: string;
  lead: ReactNode;
  /** What is shown while there are no records. */
  empty: { drawing: string; title: string; help: string };
  /** The label of the button that makes a record. */
  make: string;
  /** Makes a record at once, in place of a dialog. */
  onMake?: () => void;
  isMaking?: boolean;
  /** The dialog that makes a record; the `new` of an address opens it. */
  dialog?: (onClose: () => void) => ReactNode;
  /** Whether the person may make one. @default whoever may write */
  canMake?: boolean;
  /** What follows the records, while all of them are there. */
  after?: ReactNode;
};

/**
 * The page of a list of records that are shown as tiles, found by their names, and can be made there by whoever may
 * write.
 */
export function TilePage<T extends { readonly id: string; readonly name: string }>({
  kind,
  title,
  lead,
  empty,
  make,
  onMake,
  isMaking = false,
  dialog,
  canMake,
  after,
  records,
  ...grid
}: TilePageProps<T>) {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const makes = canMake ?? canWrite;
  const navigate = useNavigate();
  const { q = '', new: asked, ...search } = useSearch({ strict: false }) as { q?: string; new?: true; owner?: string };
  const owner = OWNERS.find((one) => one === search.owner);
  const held = useHeldIds(kind);
  const [making, setMaking] = useState(false);
  const look = (text: string, whose: Owner | undefined) =>
    void navigate({ to: '.', search: { ...(text && { q: text }), ...(whose && { owner: whose }) }, replace: true });
  const stopMaking = () => {
    setMaking(false);
    if (asked) look(q, owner);
  };
  const wanted = q.trim().toLocaleLowerCase();
  const found = records.filter(
    ({ id, name }) =>
      (!wanted || name.toLocaleLowerCase().includes(wanted)) &&
      (owner === undefined || held.has(id) === (owner === 'headquarters')),
  );
  const hasSearch = records.length >= SEARCH_FROM || wanted !== '';
  const hasOwners = held.size > 0 || owner !== undefined;
  const button = makes && (
    <Button icon={Plus} variant="primary" isPending={isMaking} onPress={onMake ?? (() => setMaking(true))}>
      {make}
    </Button>
  );
  return (
    <Page title={title} lead={lead} actions={records.length > 0 && button}>
      {(hasSearch || hasOwners) && (
        <div className="toolbar">
          {hasSearch && (
            <SearchField
              label={t('find.searchIn', { place: title })}
              value={q}
              onChange={(text) => look(text, owner)}
            />
          )}
          {hasOwners && <OwnerFilter owner={owner} onChange={(next) => look(q, next)} />}
        </div>
      )}
      <TileGrid
        {...grid}
        label={title}
        records={found}
        empty={
          records.length === 0 ? (
            <Empty drawing={empty.drawing} title={empty.title} actions={button}>
              {empty.help}
            </Empty>
          ) : (
            <Empty
              drawing={nothingFoundDrawing}
              title={t('find.noneFound')}
              actions={<Button onPress={() => look('', undefined)}>{t('find.showAll')}</Button>}
            >
              {wanted ? t('screens.noneFoundHelp', { q }) : t('held.owner.none')}
            </Empty>
          )
        }
      />
      {!wanted && owner === undefined && after}
      {(making || asked) && makes && dialog?.(stopMaking)}
    </Page>
  );
}
