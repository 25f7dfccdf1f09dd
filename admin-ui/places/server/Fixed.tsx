import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/Page.tsx';

/** Says why it cannot be changed here, and where it can. */
export function Fixed({ by }: { by: string }) {
  const { t } = useTranslation();
  return (
    <Notice tone="info" title={t('server.fixed')}>
      {t('server.fixedBy', { by })}
    </Notice>
  );
}
