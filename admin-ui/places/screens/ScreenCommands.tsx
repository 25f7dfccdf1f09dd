import { AppWindow, Download, type LucideIcon, Monitor, MonitorOff, Power, RotateCcw } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { commandDevice, type Device } from '../../../shared/contract/devices.ts';
import type { CommandName } from '../../../shared/protocol/messages.ts';
import { Button } from '../../components/Button.tsx';
import { ConfirmDialog, Dialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { commandNames, needOf, whyNot } from './commands.utils.ts';

const SCHEME = 'https://';

const icons: Readonly<Record<CommandName, LucideIcon>> = { screen_on: Monitor, screen_off: MonitorOff, launch: AppWindow, update: Download, reboot: RotateCcw, shutdown: Power };

type Order = { type: CommandName; payload?: Record<string, unknown> };

/** What this screen can be told to do. What it cannot says why; what darkens it asks once. */
export function ScreenCommands({ screen }: { screen: Device }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<CommandName>();
  const command = useEdit<Order, { status: 'sent' | 'done' | 'failed' | 'unsupported' | 'offline'; error?: string | undefined }>({
    topics: ['devices'],
    run: (body) => client.call(commandDevice, { params: { id: screen.id }, body }),
    done: ({ status, error }, { type }) => {
      const tone = status === 'done' ? 'done' : status === 'sent' || status === 'offline' ? 'note' : 'problem';
      toast({ tone, text: t(`commands.result.${status}`, { command: t(`commands.name.${type}`), screen: screen.name }), detail: error });
    },
  });
  const give = (order: Order) => {
    setAsking(undefined);
    command.mutate(order);
  };
  return (
    <>
      <ul className="commands">
        {commandNames.map((type) => (
          <li key={type}>
            <Command
              screen={screen}
              type={type}
              isPending={command.isPending && command.variables?.type === type}
              onPress={() => (needOf[type].asks ? setAsking(type) : give({ type }))}
            />
          </li>
        ))}
      </ul>
      {asking === 'launch' && <LaunchDialog onClose={() => setAsking(undefined)} onLaunch={(url) => give({ type: 'launch', payload: url ? { url } : {} })} />}
      {asking && asking !== 'launch' && (
        <ConfirmDialog
          title={t(`commands.ask.${asking}`, { screen: screen.name })}
          confirm={t(`commands.name.${asking}`)}
          danger={asking === 'shutdown' || asking === 'reboot'}
          onConfirm={() => give({ type: asking })}
          onClose={() => setAsking(undefined)}
        >
          <p>{t(`commands.effect.${asking}`)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

type CommandProps = { screen: Device; type: CommandName; isPending: boolean; onPress: () => void };

function Command({ screen, type, isPending, onPress }: CommandProps) {
  const { t } = useTranslation();
  const hint = useId();
  const reason = whyNot(screen, type);
  return (
    <>
      <Button icon={icons[type]} size="small" wide isDisabled={reason !== undefined} isPending={isPending} onPress={onPress} aria-describedby={hint}>
        {t(`commands.name.${type}`)}
      </Button>
      <small id={hint}>{reason ? t(`commands.why.${reason}`) : t(`commands.about.${type}`)}</small>
    </>
  );
}

function LaunchDialog({ onClose, onLaunch }: { onClose: () => void; onLaunch: (url: string) => void }) {
  const { t } = useTranslation();
  const [url, setUrl] = useState('');
  const wrong = url.trim() !== '' && !/^https?:\/\/\S+$/i.test(url.trim());
  return (
    <Dialog
      title={t('commands.name.launch')}
      onClose={onClose}
      onSubmit={() => !wrong && onLaunch(url.trim())}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" isDisabled={wrong}>
            {t('commands.launchNow')}
          </Button>
        </>
      }
    >
      <p>{t('commands.effect.launch')}</p>
      <TextField
        label={t('commands.url')}
        hint={t('commands.urlHint')}
        placeholder={SCHEME}
        value={url}
        onChange={setUrl}
        autoFocus
        error={wrong ? t('commands.urlWrong') : undefined}
      />
    </Dialog>
  );
}
