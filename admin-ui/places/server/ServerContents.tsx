import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { partId, serverParts } from './server.parts.ts';

/** What is on the page, beside it where there is room. Phones scroll. */
export function ServerContents({ current }: { current: string | undefined }) {
  const { t } = useTranslation();
  return (
    <nav className="server-contents" aria-label={t('server.contents')}>
      {serverParts.map((part) => (
        <Link
          key={part}
          to="/settings/server"
          search={{ part }}
          replace
          resetScroll={false}
          className="server-contents-link"
          {...(part === current && { 'aria-current': 'location' })}
          onClick={() => document.getElementById(partId(part))?.scrollIntoView()}
        >
          {t(`server.parts.${part}`)}
        </Link>
      ))}
    </nav>
  );
}
