import { useTranslation } from 'react-i18next';
import { MAX_WORDS } from '../../../shared/contract/people/approvals.ts';
import { TextField } from '../../components/fields/TextField.tsx';

type AnswerFieldProps = { who: string; answer: string; onChange: (answer: string) => void; autoFocus?: boolean };

/** Text field for the answer to the user who requested an approval. */
export function AnswerField({ who, answer, onChange, autoFocus = false }: AnswerFieldProps) {
  const { t } = useTranslation();
  return (
    <TextField
      label={t('approval.answer')}
      hint={t('approval.answerHint', { who })}
      value={answer}
      onChange={onChange}
      multiline
      maxLength={MAX_WORDS}
      autoFocus={autoFocus}
    />
  );
}
