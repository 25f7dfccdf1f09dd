import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RightsKind } from '../../../shared/contract/people/rights.ts';
import { useHindrances } from '../../api/session/rights.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { worded } from '../../i18n/sentences.ts';

/** Says why a record is read-only. */
export function Hindered({ why, actions }: { why: string | undefined; actions?: ReactNode }) {
  const { t } = useTranslation();
  return why === undefined ? null : (
    <Notice tone="info" title={t('rights.lookOnly')} actions={actions}>
      {why}
    </Notice>
  );
}

type UnhinderedProps = {
  kind: RightsKind;
  /** The records that the dialog changes. */
  of: readonly { readonly id: string }[];
  /** True if the change needs no approval, like taking content off screens. */
  isFree?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** Wraps a dialog that changes records: if the user may not change them, shows the reason instead of the dialog. */
export function Unhindered({ kind, of, isFree = false, onClose, children }: UnhinderedProps) {
  const { t } = useTranslation();
  const hindrances = useHindrances(
    kind,
    of.map(({ id }) => id),
  );
  const first = hindrances?.find(({ code }) => !(isFree && code === 'approval_required'));
  if (hindrances === undefined) return null;
  return first === undefined ? (
    children
  ) : (
    <Dialog
      title={of.length > 1 ? t('rights.notAll') : t('rights.notThis')}
      onClose={onClose}
      actions={<Button onPress={onClose}>{t('common.close')}</Button>}
    >
      <p>{worded(first.reason)}</p>
    </Dialog>
  );
}
