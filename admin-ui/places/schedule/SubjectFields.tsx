import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Segments } from '../../components/Choices.tsx';
import { type Option, Select } from '../../components/Select.tsx';
import { contentQuery } from '../../data/content.ts';
import { layoutsQuery } from '../../data/layouts.ts';
import { playlistsQuery } from '../../data/playlists.ts';
import { widgetsQuery } from '../../data/widgets.ts';
import { ContentPicker } from '../../parts/ContentPicker.tsx';
import { ContentThumb } from '../../parts/ContentThumb.tsx';
import type { Draft, SubjectKind } from './form.utils.ts';

type SubjectFieldsProps = {
  draft: Draft;
  change: (change: Partial<Draft>) => void;
  /** The layout that is in force without the plan. */
  baseLayoutId: string | null;
  mistake: string | undefined;
};

const NONE = '';
const KINDS: readonly SubjectKind[] = ['playlist', 'content', 'widget', 'layout'];

/** What a plan shows, in which layout, and where on the screen. */
export function SubjectFields({ draft, change, baseLayoutId, mistake }: SubjectFieldsProps) {
  const { t } = useTranslation();
  const playlists = useQuery(playlistsQuery).data ?? [];
  const widgets = useQuery(widgetsQuery).data ?? [];
  const layouts = useQuery(layoutsQuery).data ?? [];
  const layoutId = draft.layout_id ?? baseLayoutId;
  const zones = draft.kind === 'layout' ? [] : (layouts.find((l) => l.id === layoutId)?.zones ?? []);
  const layoutOptions: Option<string>[] = layouts.map((l) => ({ value: l.id, label: l.name }));
  const zoneOptions: Option<string>[] = [
    { value: NONE, label: t('schedule.zoneAll') },
    ...zones.map((z) => ({ value: z.id, label: z.name })),
  ];
  return (
    <>
      <div className="field">
        <span className="field-label">{t('schedule.show')}</span>
        <Segments
          label={t('schedule.show')}
          value={draft.kind}
          onChange={(kind) => change({ kind })}
          options={KINDS.map((value) => ({ value, label: t(`schedule.kind.${value}`) }))}
        />
      </div>
      {draft.kind === 'playlist' && (
        <Select
          label={t('screen.playlist')}
          placeholder={t('bulk.choose')}
          value={draft.playlist_id}
          onChange={(playlist_id) => change({ playlist_id })}
          options={playlists
            .filter((p) => p.device_id === null || p.id === draft.playlist_id)
            .map((p) => ({
              value: p.id,
              label: p.name,
              hint:
                p.published_at === null ? t('playlists.status.never') : t('playlists.items', { count: p.item_count }),
            }))}
        />
      )}
      {draft.kind === 'content' && (
        <ContentChoice id={draft.content_id} onChange={(content_id) => change({ content_id })} />
      )}
      {draft.kind === 'widget' && (
        <Select
          label={t('schedule.widget')}
          placeholder={t('bulk.choose')}
          value={draft.widget_id}
          onChange={(widget_id) => change({ widget_id })}
          options={widgets.map((w) => ({ value: w.id, label: w.name }))}
        />
      )}
      <div className="pair">
        <Select
          label={t('bulk.layout')}
          placeholder={t('bulk.choose')}
          value={draft.layout_id ?? (draft.kind === 'layout' ? null : NONE)}
          onChange={(id) => change({ layout_id: id || null, zone_id: null })}
          options={
            draft.kind === 'layout'
              ? layoutOptions
              : [
                  { value: NONE, label: t('schedule.layoutStays'), hint: t('schedule.layoutStaysHint') },
                  ...layoutOptions,
                ]
          }
        />
        {zones.length > 1 && (
          <Select
            label={t('schedule.zone')}
            value={draft.zone_id ?? NONE}
            onChange={(id) => change({ zone_id: id || null })}
            options={zoneOptions}
          />
        )}
      </div>
      {mistake && (
        <p className="field-error" role="alert">
          {mistake}
        </p>
      )}
    </>
  );
}

function ContentChoice({ id, onChange }: { id: string | null; onChange: (id: string) => void }) {
  const { t } = useTranslation();
  const [choosing, setChoosing] = useState(false);
  const content = useQuery({ ...contentQuery(id ?? ''), enabled: id !== null }).data?.content;
  return (
    <div className="chosen">
      {content && (
        <>
          <ContentThumb content={content} small cover />
          <strong className="truncate">{content.filename}</strong>
        </>
      )}
      <Button onPress={() => setChoosing(true)}>
        {id === null ? t('schedule.chooseContent') : t('schedule.change')}
      </Button>
      {choosing && (
        <ContentPicker
          title={t('schedule.chooseContent')}
          onClose={() => setChoosing(false)}
          onChoose={(chosen) => {
            onChange(chosen.id);
            setChoosing(false);
          }}
        />
      )}
    </div>
  );
}
