import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentUsage } from '../../../shared/contract/content/content.ts';

const SHOWN = 12;

/** List of all uses of a content, with links. */
export function UsageList({ usage }: { usage: ContentUsage }) {
  const { t } = useTranslation();
  return (
    <dl className="usage">
      <Part
        title={t('content.uses.playlists')}
        entries={usage.playlists}
        show={(p) => (
          <>
            <Link to="/playlists/$playlistId" params={{ playlistId: p.id }}>
              {p.name}
            </Link>
            {p.draft !== p.published && (
              <small> {p.draft ? t('content.uses.draftOnly') : t('content.uses.publishedOnly')}</small>
            )}
          </>
        )}
      />
      <Part
        title={t('content.uses.screens')}
        entries={usage.screens}
        show={(s) => (
          <Link to="/screens/$screenId" params={{ screenId: s.id }}>
            {s.name}
          </Link>
        )}
      />
      <Part
        title={t('content.uses.schedules')}
        entries={usage.schedules}
        show={(s) => (
          <>
            {s.title || t('content.uses.untitled')}
            {s.only && <small> {t('content.uses.only')}</small>}
          </>
        )}
      />
      <Part title={t('content.uses.walls')} entries={usage.walls} show={(w) => w.name} />
      <Part title={t('content.uses.devices')} entries={usage.devices} show={(d) => d.name} />
      <Part title={t('content.uses.layouts')} entries={usage.layouts} show={(l) => l.name} />
      <Part
        title={t('content.uses.designs')}
        entries={usage.designs}
        show={(d) => (
          <Link to="/content" search={{ show: d.id }}>
            {d.name}
          </Link>
        )}
      />
      <Part title={t('content.uses.widgets')} entries={[...usage.widgets, ...usage.kiosk_pages]} show={(w) => w.name} />
    </dl>
  );
}

function Part<T extends { id: string }>({
  title,
  entries,
  show,
}: {
  title: string;
  entries: readonly T[];
  show: (entry: T) => ReactNode;
}) {
  const { t } = useTranslation();
  if (entries.length === 0) return null;
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <ul className="link-list">
          {entries.slice(0, SHOWN).map((entry) => (
            <li key={entry.id}>{show(entry)}</li>
          ))}
          {entries.length > SHOWN && (
            <li className="field-hint">{t('content.uses.more', { count: entries.length - SHOWN })}</li>
          )}
        </ul>
      </dd>
    </div>
  );
}
