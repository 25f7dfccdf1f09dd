import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BIN_DAYS } from '../../../shared/contract/content/bin.ts';
import type { Content, ContentUsage } from '../../../shared/contract/content/content.ts';
import { contentUsageQuery } from '../../api/files/content.ts';
import { uploads } from '../../api/files/useUploads.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { ACCEPT } from './accept.ts';

type Asking = { readonly file: File } & Pick<ContentUsage, 'screens' | 'designs'>;
type Replacing = {
  content: Content;
  etag?: string | undefined;
  /** Called when the upload has started or the user has cancelled. */
  onEnd?: () => void;
  /** Called if the user wants to add the dropped file to the library instead of replacing the content. */
  onBeside?: (file: File) => void;
};

/**
 * Hook that replaces the file of a content everywhere it is used. Screens switch as soon as they have the new file.
 * The user confirms first if screens show the content, or if the file was dropped.
 */
export const useReplacing = ({
  content,
  etag,
  onEnd = () => undefined,
  onBeside,
}: Replacing): { take: (file: File | undefined) => void; dialog: ReactNode } => {
  const { t } = useTranslation();
  const format = useFormat();
  const queries = useQueryClient();
  const tell = useProblem();
  const [asking, setAsking] = useState<Asking>();
  const end = () => {
    setAsking(undefined);
    onEnd();
  };
  const replace = (file: File) => {
    uploads.add([file], { replace: { id: content.id, etag } });
    end();
  };
  const ask = async (file: File) => {
    try {
      const { screens, designs } = await queries.fetchQuery(contentUsageQuery(content.id));
      if (screens.length === 0 && !onBeside) replace(file);
      else setAsking({ file, screens, designs });
    } catch (error) {
      tell(error);
      end();
    }
  };
  const dialog = asking && (
    <Dialog
      alert
      title={t('content.replaceAsk', { name: content.filename, file: asking.file.name })}
      onClose={end}
      onSubmit={() => replace(asking.file)}
      actions={
        <>
          <Button onPress={end}>{t('common.cancel')}</Button>
          {onBeside && (
            <Button
              onPress={() => {
                onBeside(asking.file);
                end();
              }}
            >
              {t('content.replaceBeside')}
            </Button>
          )}
          <Button type="submit" variant="primary" autoFocus>
            {t('content.replaceNow')}
          </Button>
        </>
      }
    >
      <p>
        {t('content.replaceEffects', {
          count: asking.screens.length,
          names: format.list(asking.screens.slice(0, 7).map((s) => s.name)),
        })}
      </p>
      {asking.designs.length > 0 && (
        <p>{t('content.replaceDesigns', { names: format.list(asking.designs.slice(0, 7).map(({ name }) => name)) })}</p>
      )}
      <p>{t('bin.fileLiesThere', { count: BIN_DAYS })}</p>
    </Dialog>
  );
  return { take: (file) => (file ? void ask(file) : end()), dialog };
};

/** Opens the file dialog of the browser at once, or uses the dropped file. */
export function ReplaceContent({ file, ...replacing }: Replacing & { file: File | undefined }) {
  const { take, dialog } = useReplacing(replacing);
  const chooser = useRef<HTMLInputElement>(null);
  // Runs once per request of the user, not once per render.
  const begin = useRef(() => (file ? take(file) : chooser.current?.click()));
  const cancel = useRef(() => take(undefined));
  useEffect(() => {
    const input = chooser.current;
    const cancelled = () => cancel.current();
    // React has no prop for the `cancel` event of a file input.
    input?.addEventListener('cancel', cancelled);
    begin.current();
    return () => input?.removeEventListener('cancel', cancelled);
  }, []);
  return (
    <>
      <input
        ref={chooser}
        type="file"
        accept={ACCEPT.join(',')}
        hidden
        onChange={({ currentTarget }) => take(currentTarget.files?.[0])}
      />
      {dialog}
    </>
  );
}
