import { useQuery } from '@tanstack/react-query';
import { FileVideo } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type Conversion, cancelConversion, startConversion } from '../../../shared/contract/content/conversion.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { conversionQuery } from '../../api/files/conversion.ts';
import { client } from '../../api/requests/client.ts';
import { useMay } from '../../api/session/rights.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Progress } from '../../components/frame/Page.tsx';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import './ConvertFile.css';

/**
 * Shown beside a file that screens cannot play: starts the conversion of the file, shows its progress, or says which
 * tool is missing for the conversion. Shows nothing to users who may not replace the file.
 */
export function ConvertFile({ id, name }: { id: string; name: string }) {
  const { may } = useMay('content', id);
  const { data: conversion } = useQuery({ ...conversionQuery(id), enabled: may });
  if (!may || !conversion) return null;
  return (
    <div className="convert">
      <ConversionState id={id} name={name} conversion={conversion} />
    </div>
  );
}

function ConversionState({ id, name, conversion }: { id: string; name: string; conversion: Conversion }) {
  const { t } = useTranslation();
  const format = useFormat();
  const params = { id };
  const begin = useEdit({ topics: ['content'], run: () => client.call(startConversion, { params }) });
  const cancel = useEdit({ topics: ['content'], run: () => client.call(cancelConversion, { params }) });
  const { state, percent, ahead, error, converter, original } = conversion;
  if (state === 'waiting' || state === 'running') {
    const share = percent === null ? 0 : percent / 100;
    const running =
      percent === null
        ? t('playback.convert.running')
        : t('playback.convert.percent', { percent: format.percent(share) });
    return (
      <>
        <span className="note" role="status">
          {state === 'running' ? running : t('playback.convert.waiting', { count: ahead })}
        </span>
        <Progress share={share} label={t('playback.convert.progress', { name })} />
        <Button size="small" isPending={cancel.isPending} onPress={() => cancel.mutate()}>
          {t('common.cancel')}
        </Button>
      </>
    );
  }
  // Offers no conversion of a file that was converted already, because the result would be the same.
  if (original) return null;
  if (converter !== 'ready') return <span className="note">{t(`playback.convert.${converter}`)}</span>;
  return (
    <>
      {error !== null && (
        <span className="note" role="alert">
          <strong>{t('playback.convert.failed', { name })}.</strong> {worded(error)}
        </span>
      )}
      <Button size="small" icon={FileVideo} isPending={begin.isPending} onPress={() => begin.mutate()}>
        {t(error === null ? 'playback.convert.begin' : 'playback.convert.beginAgain')}
      </Button>
    </>
  );
}
