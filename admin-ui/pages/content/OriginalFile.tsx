import { useQuery } from '@tanstack/react-query';
import { Download, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import { type Conversion, restoreOriginal } from '../../../shared/contract/content/conversion.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { conversionQuery, downloadOriginal } from '../../api/files/conversion.ts';
import { client } from '../../api/requests/client.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import '../../domain/content/ConvertFile.css';

type Props = { content: Content; etag: string | undefined; canReplace: boolean };

/**
 * Notice that a file was converted, with buttons to download or restore the original. Shows nothing for files that
 * were not converted.
 */
export function OriginalFile({ content, etag, canReplace }: Props) {
  const isConvertible = content.kind === 'video' || content.kind === 'audio';
  const { data } = useQuery({ ...conversionQuery(content.id), enabled: isConvertible });
  return data?.original ? (
    <Converted content={content} etag={etag} canReplace={canReplace} original={data.original} />
  ) : null;
}

function Converted({ content, etag, canReplace, original }: Props & { original: NonNullable<Conversion['original']> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const tell = useProblem();
  const [busy, setBusy] = useState(false);
  const restore = useEdit({
    topics: ['content'],
    run: () => client.call(restoreOriginal, { params: { id: content.id }, ifMatch: etag }),
    said: () => t('playback.convert.restored', { name: content.filename }),
  });
  const save = async () => {
    setBusy(true);
    await downloadOriginal(content.id, original.filename).catch(tell);
    setBusy(false);
  };
  const codecs = [original.format?.video?.codec, original.format?.audio?.codec].filter((codec) => codec !== undefined);
  const what = [codecs.join(' + ').toUpperCase() || original.mime_type, format.bytes(original.file_size)].join(', ');
  return (
    <Notice
      tone="info"
      title={t('playback.convert.converted')}
      actions={
        <div className="convert">
          {canReplace && (
            <Button size="small" icon={Undo2} isPending={restore.isPending} onPress={() => restore.mutate()}>
              {t('playback.convert.restore')}
            </Button>
          )}
          <Button size="small" icon={Download} isPending={busy} onPress={() => void save()}>
            {t('playback.convert.download')}
          </Button>
        </div>
      }
    >
      {t('playback.convert.original', { what })}
    </Notice>
  );
}
