import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../components/controls/Button.tsx';
import { Empty } from '../../components/frame/Page.tsx';
import nothingFoundDrawing from '../../drawings/nothing-found.svg?raw';

/** A list of records, and the label of the link to it. */
export type Way = {
  to:
    | '/screens'
    | '/playlists'
    | '/layouts'
    | '/walls'
    | '/widgets'
    | '/kiosk'
    | '/groups'
    | '/stores'
    | '/stores/orders'
    | '/content'
    | '/campaigns'
    | '/stores/software';
  label: string;
};

/** Replaces the page of a record that does not exist, or no longer exists. */
export function NotFound({ to, label }: Way) {
  const { t } = useTranslation();
  return (
    <Empty
      drawing={nothingFoundDrawing}
      title={t('app.notFound')}
      actions={
        <ButtonLink to={to} variant="primary">
          {label}
        </ButtonLink>
      }
    >
      {t('app.notFoundHelp')}
    </Empty>
  );
}
