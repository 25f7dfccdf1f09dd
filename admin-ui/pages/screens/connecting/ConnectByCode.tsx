import { useTranslation } from 'react-i18next';
import { pairDevice } from '../../../../shared/contract/screens/pairing.ts';
import { useForm } from '../../../api/editing/useForm.ts';
import { client } from '../../../api/requests/client.ts';
import { FormDialog } from '../../../components/controls/Dialog.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { usePlayerAddress } from './usePlayerAddress.ts';

/**
 * Dialog that claims a screen by the code that it shows, for screens that are not discovered: in another part of the
 * network, or with a hosted server. `claim` is the code from a screen's QR code. Opening a link claims nothing; the
 * user compares the code and confirms.
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
