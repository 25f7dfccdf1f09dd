import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check, Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ENROLMENT_ENDING, enrolmentFile } from '../../../../shared/chain/enrolment-file.ts';
import { type EnrolmentCode, makeEnrolmentCode, type Store } from '../../../../shared/contract/headquarters/stores.ts';
import { storeQuery } from '../../../api/chain/stores.ts';
import { useEdit } from '../../../api/editing/useEdit.ts';
import { client } from '../../../api/requests/client.ts';
import { copyText } from '../../../api/requests/copy.ts';
import { saveBlob } from '../../../api/requests/download.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/controls/Dialog.tsx';
import { Spinner } from '../../../components/controls/Spinner.tsx';
import { CopyField } from '../../../components/fields/CopyField.tsx';
import { Notice } from '../../../components/frame/Page.tsx';
import { useFormat } from '../../../i18n/useFormat.ts';
import { fileNameOf } from '../stores.utils.ts';

type EnrolmentDialogProps = {
  /** The store at the time when its code was created. */
  store: Store;
  /** The enrolment code; undefined if it could not be created. */
  code: EnrolmentCode | undefined;
  onClose: () => void;
};

/** Dialog with the enrolment code of a store and instructions. It says when the store is enrolled. */
export function EnrolmentDialog({ store: before, code: first, onClose }: EnrolmentDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data } = useQuery(storeQuery(before.id));
  const now = data?.store ?? before;
  const again = useEdit({
    topics: ['stores'],
    run: () => client.call(makeEnrolmentCode, { params: { id: before.id } }),
  });
  const code = again.data ?? first;
  const isEnrolled =
    now.fingerprint !== null && (now.fingerprint !== before.fingerprint || now.enrolled_at !== before.enrolled_at);
  const open = () => {
    onClose();
    void navigate({ to: '/stores/$storeId', params: { storeId: before.id } });
  };
  return (
    <Dialog
      title={t('store.codeTitle', { name: now.name })}
      onClose={onClose}
      actions={
        isEnrolled ? (
          <>
            <Button onPress={onClose}>{t('common.close')}</Button>
            <Button variant="primary" onPress={open} autoFocus>
              {t('store.open')}
            </Button>
          </>
        ) : (
          <Button onPress={onClose}>{t('common.close')}</Button>
        )
      }
    >
      {isEnrolled ? (
        <Notice tone="good" title={t('store.codeEnrolled', { name: now.name })}>
          {t('store.codeEnrolledHelp', { server: now.server_name, workspace: now.workspace_name })}
        </Notice>
      ) : code ? (
        <Code code={code} name={now.name} />
      ) : (
        <Notice
          tone="warn"
          title={t('store.codeFailed')}
          actions={
            <Button size="small" isPending={again.isPending} onPress={() => again.mutate()}>
              {t('common.tryAgain')}
            </Button>
          }
        >
          {t('store.codeFailedHelp', { name: now.name })}
        </Notice>
      )}
    </Dialog>
  );
}

function Code({
  code: { code, addresses, offline, qr_data_url: qr, expires_at },
  name,
}: {
  code: EnrolmentCode;
  name: string;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const [copied, setCopied] = useState(false);
  const save = () =>
    saveBlob(
      new Blob([enrolmentFile({ address: addresses[0] ?? '', code, offline })], { type: 'application/json' }),
      `${fileNameOf(name)}${ENROLMENT_ENDING}`,
    );
  return (
    <>
      <div className="field">
        <span className="field-label">{t('store.code')}</span>
        <div className="enrolment-code">
          <code translate="no">
            {code.split('-').map((group, i, all) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two groups may be the same, and none moves
              <span key={i}>
                {group}
                {i < all.length - 1 && <span className="visually-hidden">-</span>}
              </span>
            ))}
          </code>
          <Button icon={copied ? Check : Copy} onPress={() => void copyText(code).then(setCopied)}>
            {copied ? t('common.copied') : t('store.copyCode')}
          </Button>
          <Button icon={Download} onPress={save}>
            {t('store.codeFile')}
          </Button>
        </div>
        <span className="visually-hidden" role="status">
          {copied ? t('common.copied') : ''}
        </span>
        <p className="field-hint">{t('store.codeUntil', { when: format.dateTime(expires_at) })}</p>
      </div>
      {qr !== null && (
        <div className="enrolment-scan">
          <img src={qr} alt={t('store.codeQr')} />
          <p className="field-hint">{t('store.codeQrHelp')}</p>
        </div>
      )}
      {addresses.map((address, i) => (
        <CopyField
          key={address}
          label={i === 0 ? t('store.codeAddress') : t('store.codeAddressOr')}
          value={address}
          onCopy={copyText}
        />
      ))}
      <section className="enrolment-steps">
        <h3>{t('store.codeSteps')}</h3>
        <ol>
          <li>{t('store.codeStep1')}</li>
          <li>{t('store.codeStep2')}</li>
          <li>{t('store.codeStep3')}</li>
        </ol>
        <p className="field-hint">{t('store.codeOffline')}</p>
      </section>
      <p className="enrolment-waits" role="status">
        <Spinner />
        {t('store.codeWaiting')}
      </p>
    </>
  );
}
