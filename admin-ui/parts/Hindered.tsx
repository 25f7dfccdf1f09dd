import { useTranslation } from 'react-i18next';
import { Notice } from '../components/Page.tsx';

/** Says why a record is there to be looked at alone. */
export function Hindered({ why }: { why: string | undefined }) {
  const { t } = useTranslation();
  return why === undefined ? null : (
    <Notice tone="info" title={t('rights.lookOnly')}>
      {why}
    </Notice>
  );
}
