import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { createWall, type Wall } from '../../../shared/contract/screens/walls.ts';
import { useForm } from '../../api/editing/useForm.ts';
import { client } from '../../api/requests/client.ts';
import { wallsQuery } from '../../api/walls.ts';
import { AmountField } from '../../components/fields/AmountField.tsx';
import { useSubjectNames } from '../../domain/content/useSubjectNames.ts';
import { NewRecord } from '../../domain/records/NewRecord.tsx';
import { Explained } from '../../domain/records/TermHelp.tsx';
import { TilePage } from '../../domain/records/TilePage.tsx';
import wallsDrawing from '../../drawings/walls.svg?raw';
import { SyncError } from './SyncError.tsx';
import { panelSize } from './wall.utils.ts';
import './walls.css';

export function WallsPage() {
  const { t } = useTranslation();
  const query = useQuery(wallsQuery);
  const walls = query.data ?? [];
  const names = useSubjectNames(walls.map(showsOf));
  return (
    <TilePage
      title={t('nav.walls')}
      lead={t('walls.lead')}
      query={query}
      records={walls}
      tile={18}
      tall={15}
      bones={2}
      empty={{ drawing: wallsDrawing, title: t('walls.emptyTitle'), help: t('walls.emptyHelp') }}
      make={t('walls.new')}
      dialog={(onClose) => <NewWall onClose={onClose} />}
    >
      {(wall) => <WallCard wall={wall} shows={names(showsOf(wall))} />}
    </TilePage>
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
    place: 'walls/new',
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
    <NewRecord title={t('walls.newTitle')} form={form} placeholder={t('walls.namePlaceholder')} onClose={onClose}>
      <div className="wall-fields">
        <AmountField {...form.field('cols', t('kiosk.columns'))} min={1} max={50} />
        <AmountField {...form.field('rows', t('wall.rows'))} min={1} max={50} />
        <AmountField {...form.field('inches', t('wall.inches'))} min={1} max={200} digits={1} unit="″" />
        <Explained term="bezel">
          <AmountField {...form.field('bezel', t('wall.bezel'))} min={0} max={1000} digits={1} unit="mm" />
        </Explained>
      </div>
      <p className="field-hint">{t('walls.newHint')}</p>
    </NewRecord>
  );
}

/** Picture of the panels of a wall. Hidden from screen readers: its name is beside it. */
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
