import { Eye } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segments } from '../../components/choices/Choices.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { serverNow } from '../../components/hooks/serverClock.ts';
import { SubjectPicker } from '../../domain/content/SubjectPicker.tsx';
import { type ScreenShape, shapeOf } from '../../domain/screens/screenShape.utils.ts';
import type { LayoutDraft } from './layout.utils.ts';
import { useLayoutPreview } from './useLayoutData.ts';

const PLAYLISTS = ['playlist'] as const;

/** The instant of the preview: the typed text, and the offset in milliseconds from now. Time continues from there. */
type Moment = { readonly text: string; readonly offset: number };
const NOW: Moment = { text: '', offset: 0 };
const momentOf = (text: string): Moment => {
  const at = new Date(text).getTime();
  return Number.isFinite(at) ? { text, offset: at - serverNow() } : NOW;
};

/**
 * Choices for the picture of a layout: a playlist, an instant, and the orientation of a screen.
 *
 * @param shapes orientations of the screens that use the layout
 */
export const usePreviewChoice = (draft: LayoutDraft, shapes: readonly ScreenShape[]) => {
  const [playlistId, setPlaylistId] = useState<string | null>(null);
  const [when, setWhen] = useState(NOW);
  const { items, names } = useLayoutPreview(draft, playlistId, when.offset);
  const [chosenShape, setShape] = useState<ScreenShape>();
  const shape = chosenShape ?? shapes[0] ?? shapeOf(draft);
  return { playlistId, setPlaylistId, when, setWhen, items, names, shapes, shape, setShape };
};

export function PreviewBar({ preview, draft }: { preview: ReturnType<typeof usePreviewChoice>; draft: LayoutDraft }) {
  const { t } = useTranslation();
  const { playlistId, setPlaylistId, when, setWhen, shapes, shape, setShape } = preview;
  return (
    <>
      <PreviewChoice value={playlistId} onChange={setPlaylistId} />
      <TextField
        label={t('layout.previewAt')}
        type="datetime-local"
        value={when.text}
        onChange={(text) => setWhen(momentOf(text))}
      />
      {(shapes.length > 1 || (shapes.length === 1 && shapes[0] !== shapeOf(draft))) && (
        <Segments
          label={t('activity.screen')}
          value={shape}
          onChange={setShape}
          options={(['landscape', 'portrait'] as const).map((one) => ({
            value: one,
            label: t(`layouts.sizeOf.${one}`),
          }))}
        />
      )}
    </>
  );
}

function PreviewChoice({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { t } = useTranslation();
  return (
    <div className="preview-choice">
      <Eye aria-hidden />
      <SubjectPicker
        label={t('layout.previewWith')}
        hideLabel
        placeholder={t('layout.previewOff')}
        kinds={PLAYLISTS}
        value={value === null ? null : { kind: 'playlist', id: value }}
        onChange={(playlist) => onChange(playlist?.id ?? null)}
        allowsNone
      />
    </div>
  );
}
