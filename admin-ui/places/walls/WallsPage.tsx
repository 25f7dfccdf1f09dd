import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createWall, type Wall } from '../../../shared/contract/walls.ts';
import { AmountField } from '../../components/AmountField.tsx';
import { Button } from '../../components/Button.tsx';
import { FormDialog } from '../../components/Dialog.tsx';
import { Empty, Page } from '../../components/Page.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { useCanWrite } from '../../data/me.ts';
import { useForm } from '../../data/useForm.ts';
import { wallsQuery } from '../../data/walls.ts';
import wallsDrawing from '../../drawings/walls.svg?raw';
import { TileGrid } from '../../parts/TileGrid.tsx';
import { useSubjectNames } from '../../parts/useSubjectNames.ts';
import { SyncError } from './SyncError.tsx';
import { panelSize } from './wall.utils.ts';
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
    <Page title={t('nav.walls')} lead={t('walls.lead')} actions={walls.length > 0 && make}>
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

function NewWall({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useForm({
    start: { name: '', cols: 2, rows: 2, inches: 55, bezel: 4 },
    schema: createWall.body,
    topics: ['walls'],
    run: ({ name, cols, rows, inches, bezel }) => {
      const body = { name, grid_cols: cols, grid_rows: rows, bezel_h_mm: bezel, bezel_v_mm: bezel };
      return client.call(createWall, { body: { ...body, ...panelSize(inches, 16 / 9) } });
    },
    done: ({ id }) => void navigate({ to: '/walls/$wallId', params: { wallId: id } }),
  });
  return (
    <FormDialog
      title={t('walls.newTitle')}
      onClose={onClose}
      onSubmit={form.send}
      submit={t('common.create')}
      isPending={form.isPending}
    >
      <TextField
        {...form.field('name', t('common.name'))}
        placeholder={t('walls.namePlaceholder')}
        autoFocus
        maxLength={200}
      />
      <div className="wall-fields">
        <AmountField {...form.field('cols', t('kiosk.columns'))} min={1} max={50} />
        <AmountField {...form.field('rows', t('wall.rows'))} min={1} max={50} />
        <AmountField {...form.field('inches', t('wall.inches'))} min={1} max={200} digits={1} unit="″" />
        <AmountField {...form.field('bezel', t('wall.bezel'))} min={0} max={1000} digits={1} unit="mm" />
      </div>
      <p className="field-hint">{t('walls.newHint')}</p>
    </FormDialog>
  );
}

/** How a wall hangs. Decoration: its name stands beside it. */
function WallPicture({ wall }: { wall: Wall }) {
  const rects = wall.devices.map((d) => ({
    id: d.device_id,
    on: d.device_status === 'online',
    x: d.canvas_x,
    y: d.canvas_y,
    width: d.canvas_width,
    height: d.canvas_height,
  }));
  if (rects.length === 0) return <span className="wall-picture empty" aria-hidden />;
  const x = Math.min(...rects.map((r) => r.x));
  const y = Math.min(...rects.map((r) => r.y));
  const width = Math.max(...rects.map((r) => r.x + r.width)) - x;
  const height = Math.max(...rects.map((r) => r.y + r.height)) - y;
  const corner = Math.min(width, height) / 60;
  return (
    <svg
      className="wall-picture"
      viewBox={`${x} ${y} ${width} ${height}`}
      preserveAspectRatio="xMidYMid meet"
      aria-hidden
    >
      {rects.map((r) => (
        <rect
          key={r.id}
          className={r.on ? 'on' : 'off'}
          x={r.x}
          y={r.y}
          width={r.width}
          height={r.height}
          rx={corner}
        />
      ))}
    </svg>
  );
}
