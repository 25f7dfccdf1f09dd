import { Link } from '@tanstack/react-router';
import { CircleQuestionMark } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { useTranslation } from 'react-i18next';
import '../../components/choices/Menu.css';
import './termHelp.css';

/** Explained terms, each with its handbook topic. */
const TERMS = {
  zone: 'layouts',
  fallback: 'words',
  priority: 'plans',
  dayparts: 'playlists',
  validity: 'validity',
  bezel: 'walls',
  transition: 'playlists',
  proof: 'reports',
  sync: 'walls',
} as const;
export type Term = keyof typeof TERMS;

/** A question mark that explains a term in a sentence when pressed. */
export function TermHelp({ term }: { term: Term }) {
  const { t } = useTranslation();
  return (
    <DialogTrigger>
      <Button className="term-help" aria-label={t('terms.explain', { term: t(`terms.of.${term}.name`) })}>
        <CircleQuestionMark aria-hidden />
      </Button>
      <Popover className="popover term-popover" placement="bottom end">
        <Dialog aria-label={t(`terms.of.${term}.name`)}>
          <p>{t(`terms.of.${term}.means`)}</p>
          <Link to="/settings/help" search={{ topic: TERMS[term] }} target="_blank" className="learn-more">
            {t('nav.learnMore')}
          </Link>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/** A field with a question mark at the end of its label. */
export function Explained({ term, children }: { term: Term; children: ReactNode }) {
  return (
    <div className="explained">
      {children}
      <TermHelp term={term} />
    </div>
  );
}
