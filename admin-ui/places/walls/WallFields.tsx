import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AmountField } from '../../components/AmountField.tsx';
import { Button } from '../../components/Button.tsx';
import { Segments } from '../../components/Choices.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { contentQuery } from '../../data/content.ts';
import { playlistsQuery } from '../../data/playlists.ts';
import { ContentPicker } from '../../parts/ContentPicker.tsx';
import { ContentThumb } from '../../parts/ContentThumb.tsx';
import { inchesOf, panelSize, type WallDraft, withGrid } from './wall.utils.ts';

type WallFieldsProps = {
  draft: WallDraft;
  onChange: (edit: (draft: WallDraft) => WallDraft, kind?: string) => void;
  canEdit: boolean;
};

type Shows = 'playlist' | 'content';

/** What is the whole wall's, shown while no panel is chosen. */
export function WallFields({ draft, onChange, canEdit }: WallFieldsProps) {
  const { t } = useTranslation();
  const aspect = draft.screen_w_mm / draft.screen_h_mm;
  const number = (
    label: string,
    key: 'bezel_h_mm' | 'bezel_v_mm' | 'screen_w_mm' | 'screen_h_mm',
    min: number,
    max: number,
  ) => (
    <AmountField
      label={label}
      value={draft[key]}
      min={min}
      max={max}
      digits={1}
      unit="mm"
      isDisabled={!canEdit}
      onChange={(value) => onChange((d) => ({ ...d, [key]: value }), key)}
    />
  );
  return (
    <div className="form">
      <TextField
        label={t('common.name')}
        value={draft.name}
        onChange={(name) => onChange((d) => ({ ...d, name }), 'name')}
        maxLength={200}
        isDisabled={!canEdit}
        error={draft.name.trim() ? undefined : t('form.missing', { field: t('common.name') })}
      />
      <ShowsFields draft={draft} onChange={onChange} canEdit={canEdit} />
      <div className="wall-fields">
        <AmountField
          label={t('kiosk.columns')}
          value={draft.grid_cols}
          min={1}
          max={50}
          isDisabled={!canEdit}
          onChange={(grid_cols) => onChange((d) => withGrid(d, { grid_cols }))}
        />
        <AmountField
          label={t('wall.rows')}
          value={draft.grid_rows}
          min={1}
          max={50}
          isDisabled={!canEdit}
          onChange={(grid_rows) => onChange((d) => withGrid(d, { grid_rows }))}
        />
        {number(t('wall.bezelH'), 'bezel_h_mm', 0, 1000)}
        {number(t('wall.bezelV'), 'bezel_v_mm', 0, 1000)}
        {number(t('wall.screenW'), 'screen_w_mm', 1, 10_000)}
        {number(t('wall.screenH'), 'screen_h_mm', 1, 10_000)}
        <AmountField
          label={t('wall.inches')}
          value={inchesOf(draft)}
          min={1}
          max={400}
          digits={1}
          unit="″"
          isDisabled={!canEdit}
          onChange={(inches) => onChange((d) => ({ ...d, ...panelSize(inches, aspect) }), 'inches')}
        />
      </div>
      <p className="field-hint">{t('wall.sizesHint')}</p>
    </div>
  );
}

function ShowsFields({ draft, onChange, canEdit }: WallFieldsProps) {
  const { t } = useTranslation();
  const playlists = useQuery(playlistsQuery).data ?? [];
  const content = useQuery({ ...contentQuery(draft.content_id ?? ''), enabled: draft.content_id !== null }).data
    ?.content;
  const [kind, setKind] = useState<Shows>(
    draft.playlist_id === null && draft.content_id !== null ? 'content' : 'playlist',
  );
  const [choosing, setChoosing] = useState(false);
  return (
    <>
      <div className="field">
        <span className="field-label">{t('overlay.type')}</span>
        <Segments
          label={t('overlay.type')}
          value={kind}
          onChange={setKind}
          options={(['playlist', 'content'] as const).map((value) => ({ value, label: t(`schedule.kind.${value}`) }))}
        />
      </div>
      {kind === 'playlist' ? (
        <Select
          label={t('screen.playlist')}
          value={draft.playlist_id ?? ''}
          isDisabled={!canEdit}
          onChange={(id) => onChange((d) => ({ ...d, playlist_id: id || null, content_id: id ? null : d.content_id }))}
          options={[
            { value: '', label: t('overlay.none'), hint: t('wall.noPlaylistHint') },
            ...playlists
              .filter((p) => p.device_id === null || p.id === draft.playlist_id)
              .map((p) => ({
                value: p.id,
                label: p.name,
                hint:
                  p.published_at === null ? t('playlists.status.never') : t('playlists.items', { count: p.item_count }),
              })),
          ]}
        />
      ) : (
        <div className="wall-content">
          {content && draft.playlist_id === null && (
            <>
              <ContentThumb content={content} small cover />
              <span className="truncate">{content.filename}</span>
            </>
          )}
          {canEdit && (
            <Button onPress={() => setChoosing(true)}>
              {content && draft.playlist_id === null ? t('schedule.change') : t('schedule.chooseContent')}
            </Button>
          )}
        </div>
      )}
      {choosing && (
        <ContentPicker
          title={t('schedule.chooseContent')}
          onClose={() => setChoosing(false)}
          onChoose={(chosen) => {
            onChange((d) => ({ ...d, content_id: chosen.id, playlist_id: null }));
            setChoosing(false);
          }}
        />
      )}
    </>
  );
}
