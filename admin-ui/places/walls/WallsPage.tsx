import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Wall } from '../../../shared/contract/walls.ts';
import { Button } from '../../components/Button.tsx';
import { Empty, Page } from '../../components/Page.tsx';
import { useCanWrite } from '../../data/me.ts';
import { wallsQuery } from '../../data/walls.ts';
import wallsDrawing from '../../drawings/walls.svg?raw';
import { TileGrid } from '../../parts/TileGrid.tsx';
import { useSubjectNames } from '../../parts/useSubjectNames.ts';
import { NewWall } from './NewWall.tsx';
import { SyncError } from './SyncError.tsx';
import { WallPicture } from './WallPicture.tsx';
import './walls.css';

export function WallsPage() {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const query = useQuery(wallsQuery);
  const [making, setMaking] = useState(false);
  const walls = query.data ?? [];
  const names = useSubjectNames(walls.map(showsOf));
  const make = canWrite && (
    <Button icon={Plus} variant="primary" onPress={() => setMaking(true)}>
      {t('walls.new')}
    </Button>
  );
  return (
    <Page title={t('walls.title')} lead={t('walls.lead')} actions={walls.length > 0 && make}>
      <TileGrid
        query={query}
        records={walls}
        tile="18rem"
        bone="15rem"
        bones={2}
        empty={
          <Empty drawing={wallsDrawing} title={t('walls.emptyTitle')} actions={make}>
            {t('walls.emptyHelp')}
          </Empty>
        }
      >
        {(wall) => <WallCard wall={wall} shows={names(showsOf(wall))} />}
      </TileGrid>
      {making && <NewWall onClose={() => setMaking(false)} />}
    </Page>
  );
}

const showsOf = ({ playlist_id, content_id }: Wall) => ({ playlist_id, content_id, widget_id: null, layout_id: null });

function WallCard({ wall, shows }: { wall: Wall; shows: string }) {
  const { t } = useTranslation();
  return (
    <Link to="/walls/$wallId" params={{ wallId: wall.id }} className="tile close">
      <WallPicture wall={wall} />
      <h3 className="truncate">{wall.name}</h3>
      <p>{`${t('walls.grid', { cols: wall.grid_cols, rows: wall.grid_rows })} · ${t('walls.panels', { count: wall.devices.length })}`}</p>
      <p className="wall-card-foot">
        <span className="truncate">{shows || t('walls.showsNothing')}</span>
        <SyncError sync={wall.sync} short />
      </p>
    </Link>
  );
}
