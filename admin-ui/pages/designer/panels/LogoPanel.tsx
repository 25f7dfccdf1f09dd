import { useTranslation } from 'react-i18next';

/** Says where the logo is changed, because it belongs to the brand. */
export function LogoPanel() {
  const { t } = useTranslation();
  return <p className="field-hint">{t('designer.logo.hint')}</p>;
}
