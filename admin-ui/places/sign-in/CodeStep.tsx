import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { useTranslation } from 'react-i18next';
import { totpVerify } from '../../../shared/contract/auth.ts';
import type { AnswerOf } from '../../../shared/contract/endpoint.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Page.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { normalizeCode } from '../../data/validation.ts';

type Props = {
  mfaToken: string;
  onSignedIn: (signedIn: AnswerOf<typeof totpVerify>) => void;
  onExpired: () => void;
  onBack: () => void;
};

/**
 * The second step. 401 means either a wrong code or that five minutes are over: the token tells which by failing again.
 */
export function CodeStep({ mfaToken, onSignedIn, onExpired, onBack }: Props) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [recovery, setRecovery] = useState(false);
  const [startedAt] = useState(() => Date.now());
  const verify = useMutation({
    mutationFn: () => client.call(totpVerify, { body: { mfa_token: mfaToken, code: normalizeCode(code) } }),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401 && Date.now() - startedAt > 5 * 60_000) onExpired();
      setCode('');
    },
  });
  const problem = (error: unknown): string => {
    if (error instanceof ApiError && error.status === 401) return t('signIn.wrongCode');
    if (error instanceof ApiError && error.status === 429 && (error.retryAfter ?? 0) > 60)
      return t('signIn.locked', { count: Math.ceil((error.retryAfter ?? 60) / 60) });
    return describeProblem(error, t).text;
  };
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (code.trim()) verify.mutate();
      }}
    >
      <p className="doorway-lead">{recovery ? t('signIn.recoveryLead') : t('signIn.codeLead')}</p>
      {verify.isError && <Notice tone="bad" title={problem(verify.error)} />}
      <TextField
        key={String(recovery)}
        label={recovery ? t('signIn.recoveryCode') : t('screens.code')}
        name="code"
        autoFocus
        autoComplete="one-time-code"
        inputMode={recovery ? 'text' : 'numeric'}
        spellCheck="false"
        value={code}
        onChange={setCode}
      />
      <Button type="submit" variant="primary" wide isPending={verify.isPending}>
        {t('common.continue')}
      </Button>
      <div className="doorway-foot">
        <button type="button" className="link-button" onClick={() => setRecovery(!recovery)}>
          {recovery ? t('signIn.useApp') : t('signIn.useRecovery')}
        </button>
        <button type="button" className="link-button" onClick={onBack}>
          {t('signIn.back')}
        </button>
      </div>
    </Form>
  );
}
