import { Rocket, Trash2, Upload } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import { deleteRelease, type Release } from '../../../shared/contract/updates.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Badge, Progress, Section } from '../../components/Page.tsx';
import '../../components/Table.css';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { StartRollout } from './StartRollout.tsx';
import { bytesOf, hasForScreens, machinesOf } from './updates.utils.ts';
import { useReleaseUpload } from './useReleaseUpload.ts';

/** What the server has, newest first, and the way to more. */
export function Releases({ releases, busy }: { releases: readonly Release[]; busy: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const upload = useReleaseUpload();
  return (
    <Section
      title={t('updates.releases')}
      lead={t('updates.releasesLead')}
      actions={
        <FileTrigger allowsMultiple onSelect={(files) => files && upload.send([...files])}>
          <Button size="small" icon={Upload} isPending={upload.isPending}>
            {t('updates.upload')}
          </Button>
        </FileTrigger>
      }
    >
      {upload.isPending && (
        <div className="updates-way" role="status">
          <Progress share={upload.share} label={t('updates.sending')} />
          <p>{t('updates.sent', { file: upload.file, share: format.percent(upload.share) })}</p>
        </div>
      )}
      {releases.length === 0 ? (
        <p className="updates-note">{t('updates.none')}</p>
      ) : (
        <ul className="table-box">
          {releases.map((release) => (
            <ReleaseRow key={release.id} release={release} busy={busy} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function ReleaseRow({ release, busy }: { release: Release; busy: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [asking, setAsking] = useState<'start' | 'delete'>();
  const close = () => setAsking(undefined);
  const remove = useEdit({
    topics: ['settings'],
    run: () => client.call(deleteRelease, { params: { id: release.id } }),
    done: () => {
      close();
      toast({ tone: 'done', text: t('updates.deleted', { version: release.version }) });
    },
  });
  return (
    <li className="updates-row">
      <div className="updates-what">
        <strong>{t('updates.version', { version: release.version })}</strong>
        <small>{[machinesOf(release.files).join(', '), format.bytes(bytesOf(release)), t('updates.onScreens', { count: release.screens })].join(' · ')}</small>
        {!release.signatures_checked && <small>{t('updates.unchecked')}</small>}
      </div>
      <Button size="small" icon={Rocket} isDisabled={busy || !hasForScreens(release.files)} onPress={() => setAsking('start')}>
        {t('updates.start')}
      </Button>
      <IconButton icon={Trash2} label={t('updates.delete', { version: release.version })} onPress={() => setAsking('delete')} />
      <ul className="updates-files">
        {release.files.map(({ name, signature }) => (
          <li key={name}>
            <span>{name}</span>
            <Badge tone={signature === null ? 'warn' : 'good'}>{t(signature === null ? 'updates.unsigned' : 'updates.signed')}</Badge>
          </li>
        ))}
      </ul>
      {asking === 'start' && <StartRollout release={release} onClose={close} />}
      {asking === 'delete' && (
        <ConfirmDialog
          title={t('updates.deleteAsk', { version: release.version })}
          confirm={t('common.delete')}
          danger
          isPending={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          <p>{t('updates.deleteHelp')}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}
