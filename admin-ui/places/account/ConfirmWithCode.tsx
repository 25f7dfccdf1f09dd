import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { totpDisable, totpRegenerate } from '../../../shared/contract/auth.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { FormDialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { normalizeCode } from '../../data/validation.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';

/** What protects the account is changed only by whoever holds the second step. */
export function ConfirmWithCode({ what, onClose }: { what: 'off' | 'renew'; onClose: () => void }) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [codes, setCodes] = useState<string[]>();
  const confirm = useEdit({
    topics: ['members'],
    run: async (): Promise<string[]> => {
      const body = { code: normalizeCode(code) };
      if (what === 'renew') return (await client.call(totpRegenerate, { body })).recovery_codes;
      await client.call(totpDisable, { body });
      return [];
    },
    done: (fresh) => {
      if (fresh.length > 0) return setCodes(fresh);
      toast({ tone: 'done', text: t('account.twoFactorIsOff') });
      onClose();
    },
    failed: (error) => {
      if (!(error instanceof ApiError)) return false;
      if (error.status === 400) setProblem(t('account.wrongCode'));
      else if (error.status === 429) setProblem(t('signIn.locked', { count: Math.ceil((error.retryAfter ?? 60) / 60) }));
      else return false;
      return true;
    },
  });
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <FormDialog
      title={what === 'off' ? t('account.offAsk') : t('account.newCodes')}
      onClose={onClose}
      onSubmit={() => {
        if (code.trim()) confirm.mutate();
        else setProblem(t('account.needCode'));
      }}
      submit={what === 'off' ? t('account.twoFactorOff') : t('account.makeCodes')}
      variant={what === 'off' ? 'danger' : 'primary'}
      isPending={confirm.isPending}
    >
      <p>{what === 'off' ? t('account.offHelp') : t('account.newCodesHelp')}</p>
      <TextField
        label={t('signIn.code')}
        hint={what === 'off' ? t('account.codeOrRecovery') : t('account.codeHint')}
        value={code}
        onChange={(text) => {
          setCode(text);
          setProblem(undefined);
        }}
        autoComplete="one-time-code"
        spellCheck="false"
        autoFocus
        error={problem}
      />
    </FormDialog>
  );
}
