import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { resendVerification } from '../../../shared/contract/people/auth.ts';
import { client } from '../../api/requests/client.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Notice } from '../../components/frame/Page.tsx';

export function VerifyStep({ email, onBack }: { email: string; onBack: () => void }) {
  const { t } = useTranslation();
  const resend = useMutation({
    mutationFn: () => client.call(resendVerification, { body: { email } }),
    onError: useProblem(),
  });
  return (
    <div className="form">
      <p className="doorway-lead">{t('signIn.checkMailHelp', { email })}</p>
      {resend.isSuccess && <Notice tone="good" title={t('signIn.resent')} />}
      <Button wide isPending={resend.isPending} onPress={() => resend.mutate()}>
        {t('signIn.resend')}
      </Button>
      <div className="doorway-foot">
        <button type="button" className="link-button" onClick={onBack}>
          {t('signIn.back')}
        </button>
      </div>
    </div>
  );
}
