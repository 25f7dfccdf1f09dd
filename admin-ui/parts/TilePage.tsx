import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../components/Button.tsx';
import { Empty, Page } from '../components/Page.tsx';
import { useCanWrite } from '../data/me.ts';
import { TileGrid, type TileGridProps } from './TileGrid.tsx';

type TilePageProps<T> = Omit<TileGridProps<T>, 'empty'> & {
  title: string;
  lead: ReactNode;
  /** What is shown while there are no records. */
  empty: { drawing: string; title: string; help: string };
  /** The label of the button that makes a record. */
  make: string;
  /** Makes a record at once, in place of a dialog. */
  onMake?: () => void;
  isMaking?: boolean;
  /** The dialog that makes a record. */
  dialog?: (onClose: () => void) => ReactNode;
  /** What follows the records. */
  after?: ReactNode;
};

/** The page of a list of records that are shown as tiles, and can be made there by whoever may write. */
export function TilePage<T extends { readonly id: string }>({
  title,
  lead,
  empty,
  make,
  onMake,
  isMaking = false,
  dialog,
  after,
  ...grid
}: TilePageProps<T>) {
  const canWrite = useCanWrite();
  const [asking, setAsking] = useState(false);
  const button = canWrite && (
    <Button icon={Plus} variant="primary" isPending={isMaking} onPress={onMake ?? (() => setAsking(true))}>
      {make}
    </Button>
  );
  return (
    <Page title={title} lead={lead} actions={grid.records.length > 0 && button}>
      <TileGrid
        {...grid}
        empty={
          <Empty drawing={empty.drawing} title={empty.title} actions={button}>
            {empty.help}
          </Empty>
        }
      />
      {after}
      {asking && dialog?.(() => setAsking(false))}
    </Page>
  );
}
