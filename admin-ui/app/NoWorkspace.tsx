import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../components/Button.tsx';
import { Empty } from '../components/Page.tsx';
import { meQuery } from '../data/me.ts';
import { signOut } from '../data/signOut.ts';
import screensDrawing from '../drawings/screens.svg?raw';
import './RouteStates.css';

/** Shown to an account without a workspace. */
export function NoWorkspace() {
  const { t } = useTranslation();
  const me = useQuery(meQuery);
  return (
    <div className="route-state">
      <Empty
        drawing={screensDrawing}
        title={t('app.noWorkspace')}
        actions={<Button onPress={() => void signOut()}>{t('nav.signOut')}</Button>}
      >
        {t('app.noWorkspaceHelp', { email: me.data?.email ?? '' })}
      </Empty>
    </div>
  );
}
