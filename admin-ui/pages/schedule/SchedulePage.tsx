import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { screenQuery } from '../../api/screens.ts';
import { Bone, Page } from '../../components/frame/Page.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { ManyScreens } from './ManyScreens.tsx';
import { OneScreen } from './OneScreen.tsx';
import { ToAllScreens } from './ToAllScreens.tsx';
import './schedule.css';
import { scopeOf } from './scope.utils.ts';

/** Calendar of the screens in the address: one screen, a group, a tag, or all. */
export function SchedulePage() {
  const search = useSearch({ from: '/shell/schedule' });
  const scope = scopeOf(search.for);
  const screen = useQuery({
    ...screenQuery(scope.kind === 'screen' ? scope.id : ''),
    enabled: scope.kind === 'screen',
  });
  const { t } = useTranslation();
  if (scope.kind !== 'screen') return <ManyScreens key={search.for} scope={scope} />;
  if (screen.data) return <OneScreen key={scope.id} screen={screen.data.screen} />;
  return (
    <Page title={t('nav.schedule')}>
      <Unanswered query={screen} bones={<Bone height="32rem" radius="var(--r-xl)" />} whenGone={<ToAllScreens />} />
    </Page>
  );
}
