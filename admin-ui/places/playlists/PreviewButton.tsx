import { Play } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Layout } from '../../../shared/contract/layouts.ts';
import type { PlaylistWithItems } from '../../../shared/contract/playlists.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { useNarrow } from '../../components/useMedia.ts';

const Preview = lazy(() => import('./Preview.tsx').then((m) => ({ default: m.Preview })));

/** Plays the draft as a screen would. */
export function PreviewButton({ playlist, layout }: { playlist: PlaylistWithItems; layout: Layout | undefined }) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const [open, setOpen] = useState(false);
  const show = { isDisabled: playlist.items.length === 0, onPress: () => setOpen(true) };
  return (
    <>
      {narrow ? (
        <IconButton icon={Play} variant="secondary" label={t('playlist.preview')} {...show} />
      ) : (
        <Button icon={Play} {...show}>
          {t('playlist.preview')}
        </Button>
      )}
      {open && (
        <Suspense>
          <Preview playlist={playlist} layout={layout} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
