import { useTranslation } from 'react-i18next';
import type { BackupWork } from '../../../shared/contract/server/upkeep.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Progress } from '../../components/frame/Page.tsx';
import { useFormat } from '../../i18n/useFormat.ts';

type WorkProgressProps = {
  title: string;
  work: Omit<BackupWork, 'what'>;
  onCancel?: (() => void) | undefined;
};

/** Name of an operation, its present step, and the progress in bytes. */
export function WorkProgress({ title, work, onCancel }: WorkProgressProps) {
  const { t } = useTranslation();
  return (
    <div className="work">
      <div className="work-head">
        <strong>{title}</strong>
        {onCancel && (
          <Button size="small" onPress={onCancel}>
            {t('common.cancel')}
          </Button>
        )}
      </div>
      <WorkBar work={work} />
    </div>
  );
}

/** The present step of an operation and its progress in bytes. */
export function WorkBar({ work: { step, done_bytes, total_bytes } }: Pick<WorkProgressProps, 'work'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const name = t(`server.workSteps.${step}`);
  return (
    <>
      {total_bytes > 0 && <Progress share={done_bytes / total_bytes} label={name} />}
      <p className="note" role="status">
        {total_bytes > 0
          ? t('server.workBytes', { step: name, done: format.bytes(done_bytes), total: format.bytes(total_bytes) })
          : t('server.workNoBytes', { step: name })}
      </p>
    </>
  );
}
