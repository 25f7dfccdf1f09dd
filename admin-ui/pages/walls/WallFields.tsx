import { useTranslation } from 'react-i18next';
import { useCanShow } from '../../api/session/me.ts';
import { AmountField } from '../../components/fields/AmountField.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { PlaybackOnScreens } from '../../domain/content/PlaybackProblems.tsx';
import { type Picked, SubjectPicker } from '../../domain/content/SubjectPicker.tsx';
import { Explained } from '../../domain/records/TermHelp.tsx';
import { inchesOf, panelSize, type WallDraft, withGrid } from './wall.utils.ts';

type WallFieldsProps = {
  draft: WallDraft;
  onChange: (edit: (draft: WallDraft) => WallDraft, kind?: string) => void;
  canEdit: boolean;
};

/** Form with the settings of the whole wall. */
export function WallFields({ draft, onChange, canEdit }: WallFieldsProps) {
  const { t } = useTranslation();
  const { content_id, playlist_id } = draft;
  const shown = content_id ? { content_id } : playlist_id ? { playlist_id } : undefined;
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
      {shown && <PlaybackOnScreens shown={shown} ids={draft.panels.map(({ device_id }) => device_id)} />}
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
        <Explained term="bezel">{number(t('wall.bezelH'), 'bezel_h_mm', 0, 1000)}</Explained>
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

const SHOWN = ['playlist', 'content'] as const;
const APPROVED = ['playlist'] as const;

function ShowsFields({ draft: { playlist_id, content_id }, onChange, canEdit }: WallFieldsProps) {
  const { t } = useTranslation();
  const canShow = useCanShow();
  const value: Picked | null =
    playlist_id !== null
      ? { kind: 'playlist', id: playlist_id }
      : content_id !== null
        ? { kind: 'content', id: content_id }
        : null;
  return (
    <SubjectPicker
      label={t('overlay.type')}
      hint={canShow || !canEdit ? (value === null ? t('wall.noPlaylistHint') : undefined) : t('approval.neededShort')}
      kinds={canShow ? SHOWN : APPROVED}
      value={value}
      onChange={(chosen) =>
        onChange((d) => ({
          ...d,
          playlist_id: chosen?.kind === 'playlist' ? chosen.id : null,
          content_id: chosen?.kind === 'content' ? chosen.id : null,
        }))
      }
      allowsNone
      isDisabled={!canEdit}
    />
  );
}
