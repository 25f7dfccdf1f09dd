import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { totpEnable, totpSetup } from '../../../shared/contract/auth.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { CopyField } from '../../components/CopyField.tsx';
import { FormDialog } from '../../components/Dialog.tsx';
import { Notice } from '../../components/Page.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { copyText } from '../../data/copy.ts';
import { useEdit } from '../../data/useEdit.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { normalizeCode } from '../../data/validation.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';

/** Scan, prove that it worked, keep the recovery codes: nobody ends up locked out of an account that looks protected. */
export function TurnOnTwoFactor({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [codes, setCodes] = useState<string[]>();
  // Asked once per opening: each asking makes a new secret, and the one that was scanned must be the one that counts.
  const begun = useRef(false);
  const { mutate: begin, ...setup } = useMutation({ mutationFn: () => client.call(totpSetup) });
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    begin();
  }, [begin]);
  const enable = useEdit({
    topics: ['members'],
    run: () => client.call(totpEnable, { body: { code: normalizeCode(code) } }),
    done: ({ recovery_codes }) => setCodes(recovery_codes),
    failed: (error) => {
      if (!(error instanceof ApiError) || error.status !== 400) return false;
      setProblem(t('account.wrongCode'));
      return true;
    },
  });
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <FormDialog
      title={t('account.twoFactorOn')}
      onClose={onClose}
      onSubmit={() => {
        if (code.trim()) enable.mutate();
        else setProblem(t('account.needCode'));
      }}
      submit={t('account.turnOn')}
      isPending={enable.isPending}
      isDisabled={!setup.data}
    >
      {setup.isError && <Notice tone="bad" title={describeProblem(setup.error, t).text} />}
      {setup.isPending && <Spinner />}
      {setup.data && (
        <>
          <p>{t('account.scan')}</p>
          {setup.data.qr_data_url && <img className="two-factor-qr" src={setup.data.qr_data_url} alt={t('account.qr')} />}
          <CopyField label={t('account.secret')} value={setup.data.secret} onCopy={copyText} />
          <TextField
            label={t('signIn.code')}
            hint={t('account.codeHint')}
            value={code}
            onChange={(text) => {
              setCode(text);
              setProblem(undefined);
            }}
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck="false"
            autoFocus
            error={problem}
          />
        </>
      )}
    </FormDialog>
  );
}
