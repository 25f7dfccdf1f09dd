import { useTranslation } from 'react-i18next';
import { pairDevice } from '../../../shared/contract/pairing.ts';
import { FormDialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/useForm.ts';
import { usePlayerAddress } from './usePlayerAddress.ts';

/**
 * Claims a screen by its code, if the server did not find the screen: in another part of the network, or with a hosted
 * server. `claim` is the code in a screen's QR code. Opening a link claims nothing; the user compares the code and
 * confirms.
 */
export function ConnectByCode({ claim, onClose }: { claim?: string | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const form = useForm({
    start: { code: claim ?? '', name: '' },
    schema: pairDevice.body,
    topics: ['devices', 'pending'],
    run: (body) => client.call(pairDevice, { body }),
    said: (screen) => t('screens.claimed', { name: screen.name }),
    done: onClose,
    refused: ({ status }) => (status === 404 ? { code: t('screens.codeUnknown') } : undefined),
  });
  const player = usePlayerAddress();
  return (
    <FormDialog
      title={t('screens.connect')}
      onClose={onClose}
      onSubmit={form.send}
      submit={t('screens.claim')}
      isPending={form.isPending}
    >
      <p>{claim ? t('screens.claimLead') : t('screens.codeLead')}</p>
      <div className="code-field">
        <TextField
          {...form.field('code', t('screens.code'), t('screens.needCode'))}
          autoFocus={!claim}
          autoComplete="off"
          spellCheck="false"
          maxLength={12}
        />
      </div>
      {!claim && player && (
        <p className="field-hint">
          {t('screens.codeBrowser')} <strong translate="no">{player}</strong>
        </p>
      )}
      <TextField
        {...form.field('name', t('screens.codeName'))}
        hint={t('screens.codeNameHint')}
        maxLength={200}
        autoFocus={claim !== undefined}
      />
    </FormDialog>
  );
}
