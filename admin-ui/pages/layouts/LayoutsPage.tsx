import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { createLayout, type Layout } from '../../../shared/contract/content/layouts.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { useForm } from '../../api/editing/useForm.ts';
import { layoutsQuery } from '../../api/layouts.ts';
import { client } from '../../api/requests/client.ts';
import { screenCountsQuery } from '../../api/screens.ts';
import { useCanWrite } from '../../api/session/me.ts';
import { Select } from '../../components/choices/Select.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { Section } from '../../components/frame/Page.tsx';
import { useOneStop } from '../../components/keyboard/useOneStop.ts';
import { NewRecord } from '../../domain/records/NewRecord.tsx';
import { TilePage } from '../../domain/records/TilePage.tsx';
import { copyOfLayout, templateName } from '../../domain/records/templateName.ts';
import { ManagedMark } from '../../domain/saving/ManagedMark.tsx';
import layoutsDrawing from '../../drawings/layouts.svg?raw';
import { SIZES } from './layout.utils.ts';
import './layouts.css';

export function LayoutsPage() {
  const { t } = useTranslation();
  const query = useQuery(layoutsQuery);
  const counts = useQuery(screenCountsQuery).data?.layouts ?? [];
  const layouts = query.data ?? [];
  const own = layouts.filter((l) => l.is_template === 0);
  const templates = layouts.filter((l) => l.is_template === 1);
  const uses = (id: string) => counts.find(({ layout_id }) => layout_id === id)?.count ?? 0;
  return (
    <TilePage
      kind="layout"
      title={t('nav.layouts')}
      lead={t('layouts.lead')}
      query={query}
      records={own}
      tile={15}
      tall={13}
      empty={{ drawing: layoutsDrawing, title: t('layouts.emptyTitle'), help: t('layouts.emptyHelp') }}
      make={t('layouts.new')}
      dialog={(onClose) => <NewLayout onClose={onClose} />}
      after={
        templates.length > 0 && (
          <Section title={t('layouts.templates')} lead={t('layouts.templatesLead')}>
            <Templates templates={templates} uses={uses} />
          </Section>
        )
      }
    >
      {(layout) => <LayoutCard layout={layout} name={layout.name} screens={uses(layout.id)} />}
    </TilePage>
  );
}

function Templates({ templates, uses }: { templates: readonly Layout[]; uses: (id: string) => number }) {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const list = useOneStop<HTMLUListElement>();
  return (
    <ul className="template-grid" {...list}>
      {templates.map((layout) => (
        <li key={layout.id} className="template">
          <LayoutCard layout={layout} name={templateName(layout, t)} screens={uses(layout.id)} />
          {canWrite && <UseTemplate layout={layout} name={templateName(layout, t)} />}
        </li>
      ))}
    </ul>
  );
}

function LayoutCard({ layout, name, screens }: { layout: Layout; name: string; screens: number }) {
  const { t } = useTranslation();
  return (
    <Link to="/layouts/$layoutId" params={{ layoutId: layout.id }} className="tile close">
      <LayoutPicture layout={layout} />
      <h3 className="truncate">{name}</h3>
      <p>
        {t('layouts.zones', { count: layout.zones.length })}
        {screens > 0 && ` · ${t('playlists.screens', { count: screens })}`}
      </p>
      <ManagedMark kind="layout" id={layout.id} />
    </Link>
  );
}

function UseTemplate({ layout, name }: { layout: Layout; name: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const copy = useEdit({
    topics: ['layouts'],
    run: () => copyOfLayout(layout, {}, t),
    done: ({ id }) => void navigate({ to: '/layouts/$layoutId', params: { layoutId: id } }),
  });
  return (
    <Button
      icon={Copy}
      size="small"
      isPending={copy.isPending}
      onPress={() => copy.mutate()}
      aria-label={t('layouts.useNamed', { name })}
    >
      {t('layouts.use')}
    </Button>
  );
}

function NewLayout({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useForm({
    place: 'layouts/new',
    start: { name: '', size: 'landscape' as (typeof SIZES)[number]['key'] },
    schema: createLayout.body,
    topics: ['layouts'],
    run: ({ name, size }) => {
      const { width, height } = SIZES.find((s) => s.key === size) ?? SIZES[0];
      const whole = {
        name: t('layout.firstZone'),
        x_percent: 0,
        y_percent: 0,
        width_percent: 100,
        height_percent: 100,
      };
      return client.call(createLayout, { body: { name, width, height, zones: [whole] } });
    },
    done: ({ id }) => void navigate({ to: '/layouts/$layoutId', params: { layoutId: id } }),
  });
  return (
    <NewRecord
      title={t('layouts.newTitle')}
      form={form}
      lead={t('layouts.newLead')}
      placeholder={t('layouts.namePlaceholder')}
      onClose={onClose}
    >
      <Select
        label={t('layouts.size')}
        value={form.values.size}
        onChange={(size) => form.set({ size })}
        options={SIZES.map(({ key, width, height }) => ({
          value: key,
          label: t(`layouts.sizeOf.${key}`),
          hint: `${width} × ${height}`,
        }))}
      />
    </NewRecord>
  );
}

type LayoutPictureProps = { layout: Pick<Layout, 'width' | 'height' | 'zones'>; names?: boolean };

/** Picture of the zones of a layout. Hidden from screen readers: its name is beside it. */
function LayoutPicture({ layout: { width, height, zones }, names = false }: LayoutPictureProps) {
  const stacked = [...zones].sort((a, b) => a.z_index - b.z_index);
  return (
    <div className="layout-picture" aria-hidden>
      <div
        style={{ aspectRatio: `${width} / ${height}`, ...(width >= height ? { width: '100%' } : { height: '100%' }) }}
      >
        {stacked.map((zone, index) => (
          <span
            key={zone.id}
            className={`tone-${index % 4}`}
            style={{
              left: `${zone.x_percent}%`,
              top: `${zone.y_percent}%`,
              width: `${zone.width_percent}%`,
              height: `${zone.height_percent}%`,
            }}
          >
            {names && <small className="truncate">{zone.name}</small>}
          </span>
        ))}
      </div>
    </div>
  );
}
