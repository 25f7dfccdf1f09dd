import { useTranslation } from 'react-i18next';
import { Segments } from '../../components/choices/Choices.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { SubjectPicker } from '../../domain/content/SubjectPicker.tsx';
import { TargetPicker } from '../../domain/screens/TargetPicker.tsx';
import { ENDS, endOf, localOf } from './templates.utils.ts';
import type { WhereChoice } from './useWhere.ts';

type ShowFieldsProps = {
  choice: WhereChoice;
  until: string | null;
  onUntil: (until: string | null) => void;
};

const PLAYLIST = ['playlist'] as const;
const TARGETS = ['group', 'device'] as const;

/** Where and until when a new design is shown. */
export function ShowFields({ choice, until, onUntil }: ShowFieldsProps) {
  const { t } = useTranslation();
  const { where, setWhere, playlist, mayScreens, isNowhere } = choice;
  if (isNowhere) return <Notice tone="info" title={t('templates.nowhere')} />;
  return (
    <>
      {mayScreens && (
        <div className="field">
          <span className="field-label">{t('templates.where')}</span>
          <Segments
            label={t('templates.where')}
            value={where.kind}
            onChange={(kind) => setWhere(kind === 'playlist' ? { kind, id: null } : { kind, targets: [] })}
            options={(['playlist', 'screens'] as const).map((value) => ({
              value,
              label: t(`templates.whereKinds.${value}`),
            }))}
          />
        </div>
      )}
      {where.kind === 'playlist' ? (
        <SubjectPicker
          label={t('templates.whereKinds.playlist')}
          placeholder={t('templates.choosePlaylist')}
          kinds={PLAYLIST}
          value={where.id === null ? null : { kind: 'playlist', id: where.id }}
          onChange={(picked) => setWhere({ kind: 'playlist', id: picked?.id ?? null })}
          hint={playlist && t('templates.plays', { count: playlist.display_count })}
        />
      ) : (
        <TargetPicker
          label={t('templates.screens')}
          hint={t('templates.screensHint')}
          kinds={TARGETS}
          value={where.targets}
          onChange={(targets) => setWhere({ kind: 'screens', targets })}
        />
      )}
      {playlist && playlist.status === 'draft' && playlist.item_count > 0 && (
        <Notice tone="info" title={t('templates.alsoPublished')} />
      )}
      <TextField
        type="datetime-local"
        label={t('templates.end')}
        hint={t('templates.endHint')}
        value={until ?? ''}
        onChange={(minute) => onUntil(minute.slice(0, 16) || null)}
      />
      <div className="end-choices">
        {ENDS.map((end) => (
          <Button key={end} size="small" onPress={() => onUntil(endOf(end, localOf(new Date())))}>
            {t(`templates.ends.${end}`)}
          </Button>
        ))}
      </div>
    </>
  );
}
