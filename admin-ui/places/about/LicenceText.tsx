import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../components/Dialog.tsx';

type LicenceTextProps = {
  title: string;
  licence: string;
  note?: string | null;
  source?: string | null;
  texts: readonly string[];
  onClose: () => void;
};

/** The words of a licence, as they were written: in English, in lines of their own. */
export function LicenceText({ title, licence, note, source, texts, onClose }: LicenceTextProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={title} size="wide" onClose={onClose}>
      <dl className="facts">
        <dt>{t('about.licence')}</dt>
        <dd>{licence}</dd>
        {source && (
          <>
            <dt>{t('about.source')}</dt>
            <dd>
              <a href={source} target="_blank" rel="noreferrer">
                {source}
              </a>
            </dd>
          </>
        )}
      </dl>
      {note && <p lang="en">{note}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="licence-text" lang="en" tabIndex={0} aria-label={t('about.text')}>
        {texts.map((text, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change
          <Fragment key={i}>
            {i > 0 && <hr />}
            <pre>{text}</pre>
          </Fragment>
        ))}
      </section>
    </Dialog>
  );
}
