import { useMutation, useQuery } from '@tanstack/react-query';
import { Copy, Download, ShieldCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { totpDisable, totpEnable, totpRegenerate, totpSetup } from '../../../shared/contract/people/auth.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { normalizeCode } from '../../api/editing/validation.ts';
import { client } from '../../api/requests/client.ts';
import { copyText } from '../../api/requests/copy.ts';
import { saveBlob } from '../../api/requests/download.ts';
import { describeProblem } from '../../api/requests/useProblem.ts';
import { twoFactorQuery } from '../../api/session/me.ts';
import { Checkbox } from '../../components/choices/Choices.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog, FormDialog } from '../../components/controls/Dialog.tsx';
import { Spinner } from '../../components/controls/Spinner.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { CopyField } from '../../components/fields/CopyField.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Badge, Bone, Notice } from '../../components/frame/Page.tsx';

/** Number of unused recovery codes below which the page asks the user to create new codes. */
const FEW = 3;

export function TwoFactor() {
  const { t } = useTranslation();
  const query = useQuery(twoFactorQuery);
  const [doing, setDoing] = useState<'on' | 'off' | 'renew'>();
  const close = () => setDoing(undefined);
  if (!query.data) return <Bone height="3rem" />;
  const { enabled, recovery_codes_remaining: left } = query.data;
  return (
    <>
      {!enabled && (
        <div className="form-actions">
          <Button icon={ShieldCheck} onPress={() => setDoing('on')}>
            {t('account.twoFactorOn')}
          </Button>
        </div>
      )}
      {enabled && (
        <>
          <p className="two-factor-state">
            <Badge tone="good" dot>
              {t('account.twoFactorIsOn')}
            </Badge>
            <span>{t('account.codesLeft', { count: left })}</span>
          </p>
          {left <= FEW && <Notice tone="warn" title={t('account.fewCodes')} />}
          <div className="form-actions">
            <Button onPress={() => setDoing('renew')}>{t('account.newCodes')}</Button>
            <Button variant="danger-quiet" onPress={() => setDoing('off')}>
              {t('account.twoFactorOff')}
            </Button>
          </div>
        </>
      )}
      {doing === 'on' && <TurnOnTwoFactor onClose={close} />}
      {(doing === 'off' || doing === 'renew') && <ConfirmWithCode what={doing} onClose={close} />}
    </>
  );
}

/**
 * Dialog that turns on two-factor authentication. The user scans the QR code, enters a first code, and confirms that
 * the recovery codes are saved.
 */
function TurnOnTwoFactor({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [codes, setCodes] = useState<string[]>();
  // The secret is requested once per opening: each request makes a new secret, and the scanned secret must stay valid.
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
          {setup.data.qr_data_url && (
            <img className="two-factor-qr" src={setup.data.qr_data_url} alt={t('account.qr')} />
          )}
          <CopyField label={t('account.secret')} value={setup.data.secret} onCopy={copyText} />
          <TextField
            label={t('screens.code')}
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

/**
 * Dialog that asks for a code of the second factor. Turning off two-factor authentication and making new recovery
 * codes require it.
 */
function ConfirmWithCode({ what, onClose }: { what: 'off' | 'renew'; onClose: () => void }) {
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
      else if (error.status === 429)
        setProblem(t('signIn.locked', { count: Math.ceil((error.retryAfter ?? 60) / 60) }));
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
        label={t('screens.code')}
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

/**
 * Dialog with the recovery codes, which are shown only once. It closes only after the user confirms that the codes
 * are saved.
 */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation();
  const [kept, setKept] = useState(false);
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    const done = await copyText(text);
    toast({ tone: done ? 'done' : 'problem', text: done ? t('common.copied') : t('people.copyFailed') });
  };
  return (
    <Dialog
      title={t('account.codesTitle')}
      onClose={() => kept && onClose()}
      actions={
        <Button variant="primary" isDisabled={!kept} onPress={onClose}>
          {t('common.done')}
        </Button>
      }
    >
      <p>{t('account.codesHelp')}</p>
      <ol className="recovery-codes" translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="form-actions">
        <Button
          icon={Download}
          onPress={() => saveBlob(new Blob([text], { type: 'text/plain' }), 'vitrine-recovery-codes.txt')}
        >
          {t('account.saveCodes')}
        </Button>
        <Button icon={Copy} onPress={() => void copy()}>
          {t('common.copy')}
        </Button>
      </div>
      <Checkbox isSelected={kept} onChange={setKept}>
        {t('account.codesKept')}
      </Checkbox>
    </Dialog>
  );
}
