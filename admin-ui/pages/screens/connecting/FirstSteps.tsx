import { Check, Clapperboard, Image, Monitor } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, ButtonLink } from '../../../components/controls/Button.tsx';
import './firstSteps.css';
import type { FirstStepsDone } from './useFirstSteps.ts';

/** The three steps from an empty server to a picture on a screen. Hidden when all steps are done. */
export function FirstSteps({
  steps: { uploaded, published, connected, draft },
  onConnect,
}: {
  steps: FirstStepsDone;
  onConnect: () => void;
}) {
  const { t } = useTranslation();
  const next = [uploaded, published, connected].indexOf(false);
  const variant = (step: number) => (step === next ? 'primary' : 'secondary');
  return (
    <section className="first-steps" aria-label={t('firstSteps.title')}>
      <header>
        <h2>{t('firstSteps.title')}</h2>
        <p>{t('firstSteps.lead')}</p>
      </header>
      <ol>
        <Step
          n={1}
          icon={<Image aria-hidden />}
          done={uploaded}
          title={t('firstSteps.upload')}
          help={t('firstSteps.uploadHelp')}
        >
          <ButtonLink to="/content" variant={variant(0)}>
            {t('content.uploadFiles')}
          </ButtonLink>
        </Step>
        <Step
          n={2}
          icon={<Clapperboard aria-hidden />}
          done={published}
          title={t('firstSteps.playlist')}
          help={t('firstSteps.playlistHelp')}
        >
          {draft ? (
            <ButtonLink to="/playlists/$playlistId" params={{ playlistId: draft }} variant={variant(1)}>
              {t('screen.openPlaylist')}
            </ButtonLink>
          ) : (
            <ButtonLink to="/playlists" variant={variant(1)}>
              {t('playlists.new')}
            </ButtonLink>
          )}
        </Step>
        <Step
          n={3}
          icon={<Monitor aria-hidden />}
          done={connected}
          title={t('firstSteps.screen')}
          help={t('firstSteps.screenHelp')}
        >
          <Button variant={variant(2)} onPress={onConnect}>
            {t('screens.connect')}
          </Button>
        </Step>
      </ol>
    </section>
  );
}

type StepProps = { n: number; icon: ReactNode; done: boolean; title: string; help: string; children: ReactNode };

function Step({ n, icon, done, title, help, children }: StepProps) {
  const { t } = useTranslation();
  return (
    <li className={done ? 'first-step done' : 'first-step'}>
      <span className="first-step-mark">{done ? <Check aria-label={t('firstSteps.done')} /> : n}</span>
      <span className="first-step-icon">{icon}</span>
      <h3>{title}</h3>
      <p>{help}</p>
      {!done && children}
    </li>
  );
}
