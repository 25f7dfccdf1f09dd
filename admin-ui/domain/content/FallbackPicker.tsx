import { useTranslation } from 'react-i18next';
import type { PlaybackQuestion } from '../../../shared/contract/content/playback.ts';
import { useCanShow } from '../../api/session/me.ts';
import { Explained } from '../records/TermHelp.tsx';
import { PlaybackProblems } from './PlaybackProblems.tsx';
import { SubjectPicker } from './SubjectPicker.tsx';

/**
 * Field for the default content of a screen, group or workspace: the content that plays when nothing else does. It may
 * be empty.
 */
export function FallbackPicker({
  of,
  value,
  onChange,
  isDisabled = false,
  targets,
}: {
  of: 'screen' | 'group' | 'workspace';
  value: string | null;
  onChange: (contentId: string | null) => void;
  isDisabled?: boolean;
  /** The screens that would show the content; absent: all screens of the workspace. */
  targets?: PlaybackQuestion['targets'];
}) {
  const { t } = useTranslation();
  const canShow = useCanShow();
  const needsApproval = !canShow && !isDisabled;
  return (
    <>
      <Explained term="fallback">
        <SubjectPicker
          label={t('content.fallback.label')}
          hint={needsApproval ? t('approval.neededShort') : t(`content.fallback.of.${of}`)}
          placeholder={t('content.fallback.none')}
          kinds={KINDS}
          value={value === null ? null : { kind: 'content', id: value }}
          onChange={(picked) => onChange(picked?.id ?? null)}
          allowsNone
          isDisabled={isDisabled || needsApproval}
        />
      </Explained>
      {value !== null && <PlaybackProblems question={{ content_id: value, targets }} />}
    </>
  );
}

const KINDS = ['content'] as const;
