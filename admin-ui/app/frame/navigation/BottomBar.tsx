import { Ellipsis, Megaphone } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../../../shared/contract/people/auth.ts';
import { composer } from '../../../api/editing/composer.ts';
import { canShow } from '../../../api/session/me.ts';
import { withTexts } from '../../../i18n/i18n.ts';
import { groupsFor, isBar, type NavigationPlace } from '../pages.ts';
import { Alerts, PlaceLink } from './PlaceLink.tsx';

const MoreSheet = lazy(() => withTexts(() => import('../MoreSheet.tsx')).then((m) => ({ default: m.MoreSheet })));

/** Navigation at the lower edge of a phone. */
export function BottomBar({ me, onFind }: { me: Me; onFind: () => void }) {
  const { t } = useTranslation();
  const [more, setMore] = useState(false);
  return (
    <nav className="bottom-bar" aria-label={t('nav.label')}>
      <ul>
        {groupsFor(me)
          .filter(isBar)
          .flatMap((group): readonly NavigationPlace[] => group.places)
          .map((place) => (
            <li key={place.path}>
              <PlaceLink {...place} />
            </li>
          ))}
        {canShow(me) && (
          <li>
            <Button className="rail-link" onPress={() => composer.open()} aria-label={t('nav.messageNow')}>
              <Megaphone aria-hidden />
              <span>{t('nav.message')}</span>
            </Button>
          </li>
        )}
        <li>
          <Button className="rail-link" onPress={() => setMore(true)}>
            <Ellipsis aria-hidden />
            <span>{t('nav.more')}</span>
            <Alerts />
          </Button>
        </li>
      </ul>
      {more && (
        <Suspense>
          <MoreSheet
            me={me}
            onFind={onFind}
            onClose={() => setMore(false)}
            count={(path) => path === '/attention' && <Alerts />}
          />
        </Suspense>
      )}
    </nav>
  );
}
