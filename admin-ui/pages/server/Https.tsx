import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '../../../shared/contract/server/upkeep.ts';
import { copyText } from '../../api/requests/copy.ts';
import { CopyField } from '../../components/fields/CopyField.tsx';
import { Facts } from '../../components/frame/Facts.tsx';
import { Badge, Notice } from '../../components/frame/Page.tsx';
import { readableFingerprint } from '../../domain/screens/fingerprint.utils.ts';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { ServerCard } from './ServerCard.tsx';
import { encryptedHost } from './server.utils.ts';

const tones = { on: 'good', off: undefined, starting: 'info', failing: 'bad' } as const;

/** Section with the HTTPS addresses, and the certificate that makes browsers trust them. */
export function Https({ status: { https, addresses } }: { status: ServerStatus }) {
  const { t } = useTranslation();
  const format = useFormat();
  const host = encryptedHost(https.names, addresses);
  const facts: readonly (readonly [string, string])[] = [
    ...(https.names.length > 0 ? [[t('server.httpsNames'), https.names.join(', ')] as const] : []),
    ...(https.expires_at !== null
      ? [
          [
            t('server.httpsUntil'),
            https.own_certificate
              ? format.date(https.expires_at)
              : t('server.httpsRenewed', { date: format.date(https.expires_at) }),
          ] as const,
        ]
      : []),
    ...(https.ca_fingerprint !== null
      ? [[t('server.caFingerprint'), readableFingerprint(https.ca_fingerprint)] as const]
      : []),
  ];
  return (
    <ServerCard
      part="https"
      title={t('server.parts.https')}
      lead={t('server.httpsLead')}
      actions={
        <Badge dot tone={tones[https.state]}>
          {t(`server.httpsStates.${https.state}`)}
        </Badge>
      }
    >
      {https.error !== null && (
        <Notice tone="bad" title={t('server.problems.https_failing')}>
          {worded(https.error)}
        </Notice>
      )}
      {https.state === 'on' && host !== undefined && https.port !== null && (
        <CopyField
          label={t('server.httpsAddress')}
          value={`https://${host.includes(':') ? `[${host}]` : host}:${https.port}/`}
          onCopy={copyText}
        />
      )}
      {facts.length > 0 && <Facts facts={facts} />}
      {https.ca_path !== null && (
        <>
          <p className="note">{t('server.caHelp')}</p>
          <div className="form-actions">
            <a className="button secondary" href={https.ca_path} download="vitrine-ca.crt">
              <Download aria-hidden />
              {t('server.caDownload')}
            </a>
          </div>
        </>
      )}
    </ServerCard>
  );
}
