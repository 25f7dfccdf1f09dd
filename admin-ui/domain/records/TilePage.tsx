import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OWNERS, type Owner } from '../../../shared/contract/people/owner.ts';
import type { RightsKind } from '../../../shared/contract/people/rights.ts';
import { useManagedIds } from '../../api/chain/managed.ts';
import { useCanWrite } from '../../api/session/me.ts';
import { Button } from '../../components/controls/Button.tsx';
import { SearchField } from '../../components/fields/SearchField.tsx';
import { Empty, Page } from '../../components/frame/Page.tsx';
import nothingFoundDrawing from '../../drawings/nothing-found.svg?raw';
import { OwnerFilter } from './OwnerFilter.tsx';
import { TileGrid, type TileGridProps } from './TileGrid.tsx';
import '../../components/frame/Toolbar.css';

/** Number of records from which on the page has a search field. */
const SEARCH_FROM = 9;

type TilePageProps<T> = Omit<TileGridProps<T>, 'empty' | 'label'> & {
  /** Kind of the records, if they may belong to headquarters. */
  kind?: RightsKind;
  title: string;
  lead: ReactNode;
  /** Shown while there are no records. */
  empty: { drawing: string; title: string; help: string };
  /** Label of the button that creates a record. */
  make: string;
  /** Creates a record at once, without a dialog. */
  onMake?: () => void;
  isMaking?: boolean;
  /** The dialog that creates a record. `new` in the address opens it. */
  dialog?: (onClose: () => void) => ReactNode;
  /** Whether the user may create a record. @default if the user may write */
  canMake?: boolean;
  /** Shown after the records, once all records are loaded. */
  after?: ReactNode;
};

/** The page of a list of records as tiles, searched by name. Users who may write can create records. */
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
  const held = useManagedIds(kind);
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
