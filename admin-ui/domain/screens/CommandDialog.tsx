import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CommandBody } from '../../../shared/contract/screens/devices.ts';
import { COMMANDS, type CommandName } from '../../../shared/protocol/commands.ts';
import { useCanShow } from '../../api/session/me.ts';
import { Button } from '../../components/controls/Button.tsx';
import { ConfirmDialog, Dialog } from '../../components/controls/Dialog.tsx';
import { TextField } from '../../components/fields/TextField.tsx';

const SCHEME = 'https://';

export type Order = { type: CommandName; payload?: CommandBody['payload'] };

type Props = {
  type: CommandName;
  /** Name of the receiving screen or group. */
  to: string;
  /** Number of receiving screens. */
  count: number;
  isPending?: boolean;
  onGive: (order: Order) => void;
  onClose: () => void;
  children?: ReactNode;
};

/** Asks for confirmation before a command is sent, and for the command's parameters if there are any. */
export function CommandDialog({ type, to, count, isPending, onGive, onClose, children }: Props) {
  const { t } = useTranslation();
  const title = t(`commands.of.${type}.ask`, { name: to });
  const effect = <p>{t(`commands.of.${type}.effect`, { count })}</p>;
  if (type === 'launch')
    return (
      <LaunchDialog
        title={title}
        isPending={isPending}
        onClose={onClose}
        onLaunch={(url) => onGive({ type, payload: url ? { url } : {} })}
      >
        {effect}
        {children}
      </LaunchDialog>
    );
  return (
    <ConfirmDialog
      title={title}
      confirm={t(`commands.of.${type}.name`)}
      danger={COMMANDS[type].isGrave}
      isPending={isPending ?? false}
      onConfirm={() => onGive({ type })}
      onClose={onClose}
    >
      {effect}
      {children}
    </ConfirmDialog>
  );
}

type LaunchProps = {
  title: string;
  isPending: boolean | undefined;
  onClose: () => void;
  onLaunch: (url: string) => void;
  children: ReactNode;
};

function LaunchDialog({ title, isPending, onClose, onLaunch, children }: LaunchProps) {
  const { t } = useTranslation();
  const canShow = useCanShow();
  const [url, setUrl] = useState('');
  const wrong = url.trim() !== '' && !/^https?:\/\/\S+$/i.test(url.trim());
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => !wrong && onLaunch(url.trim())}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" isDisabled={wrong} isPending={isPending ?? false}>
            {t('common.open')}
          </Button>
        </>
      }
    >
      {children}
      <TextField
        label={t('commands.url')}
        hint={t(canShow ? 'commands.urlHint' : 'approval.neededPage')}
        isDisabled={!canShow}
        placeholder={SCHEME}
        value={url}
        onChange={setUrl}
        autoFocus
        error={wrong ? t('kiosk.noUrl') : undefined}
      />
    </Dialog>
  );
}
