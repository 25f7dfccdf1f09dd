import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../api/session/me.ts';
import { signOut } from '../api/session/signOut.ts';
import { Button } from '../components/controls/Button.tsx';
import { Empty } from '../components/frame/Page.tsx';
import screensDrawing from '../drawings/screens.svg?raw';
import './frame/RouteStates.css';

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
