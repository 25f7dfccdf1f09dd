import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Bone } from '../components/Page.tsx';
import './StepsOfWork.css';

type StepsOfWorkProps = {
  /** In their order. */
  steps: readonly string[];
  /** The index of that which is being done; `steps.length`: all are done. */
  reached: number;
  /** How far that is; absent where nobody knows. */
  children?: ReactNode;
};

/** What is done, what is being done and how far, and what follows. */
export function StepsOfWork({ steps, reached, children }: StepsOfWorkProps) {
  const { t } = useTranslation();
  return (
    <ol className="steps-of-work">
      {steps.map((step, i) => (
        <li
          key={step}
          className={i < reached ? 'done' : i === reached ? 'now' : 'later'}
          {...(i === reached && { 'aria-current': 'step' })}
        >
          <span className="steps-mark">{i < reached ? <Check aria-label={t('server.stepDone')} /> : i + 1}</span>
          <div>
            <strong>{step}</strong>
            {i === reached && (children || <Bone height="0.5rem" />)}
          </div>
        </li>
      ))}
    </ol>
  );
}
