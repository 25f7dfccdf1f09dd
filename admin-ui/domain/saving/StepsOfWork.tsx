import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Bone } from '../../components/frame/Page.tsx';
import './StepsOfWork.css';

type StepsOfWorkProps = {
  /** Labels of the steps in their order. */
  steps: readonly string[];
  /** Index of the current step; `steps.length` if all steps are done. */
  reached: number;
  /** Progress of the current step; absent if unknown. */
  children?: ReactNode;
};

/** Lists finished steps, the current step with its progress, and the following steps. */
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
