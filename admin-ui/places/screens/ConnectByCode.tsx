import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { pairDevice } from '../../../shared/contract/pairing.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { usePlayerAddress } from './usePlayerAddress.ts';

/**
 * For screens that are not found by themselves: in another part of the network, or on a hosted server. `claim` is the
 * code of the QR that a screen shows: nothing is claimed by opening a link, the person compares and says so.
 */
export function ConnectByCode({ claim, onClose }: { claim?: string | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const [code, setCode] = useState(claim ?? '');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const pair = useEdit({
    topics: ['devices', 'pending'],
    run: () => client.call(pairDevice, { body: { code, name } }),
    done: (screen) => {
      toast({ tone: 'done', text: t('screens.claimed', { name: screen.name }) });
      onClose();
    },
    failed: (error) => {
      if (!(error instanceof ApiError) || error.status !== 404) return false;
      setProblem(t('screens.codeUnknown'));
      return true;
    },
  });
  const player = usePlayerAddress();
  const submit = () => {
    if (code.trim()) pair.mutate();
    else setProblem(t('screens.needCode'));
  };
  return (
    <Dialog
      title={t('screens.connect')}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" isPending={pair.isPending}>
            {t('screens.claim')}
          </Button>
        </>
      }
    >
      <p>{claim ? t('screens.claimLead') : t('screens.codeLead')}</p>
      <div className="code-field">
        <TextField
          label={t('screens.code')}
          value={code}
          onChange={(text) => {
            setCode(text);
            setProblem(undefined);
          }}
          autoFocus={!claim}
          autoComplete="off"
          spellCheck="false"
          maxLength={12}
          error={problem}
        />
      </div>
      {!claim && player && (
        <p className="field-hint">
          {t('screens.codeBrowser')} <strong translate="no">{player}</strong>
        </p>
      )}
      <TextField
        label={t('screens.codeName')}
        hint={t('screens.codeNameHint')}
        value={name}
        onChange={setName}
        maxLength={200}
        autoFocus={claim !== undefined}
      />
    </Dialog>
  );
}
