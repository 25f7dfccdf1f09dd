import { AppWindow, ArrowDownToLine, type LucideIcon, Monitor, MonitorOff, Power, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CommandResult } from '../../../shared/contract/devices.ts';
import { commandGroup, type Group } from '../../../shared/contract/groups.ts';
import { Button } from '../../components/Button.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Badge } from '../../components/Page.tsx';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { COMMANDS, type CommandType, DISTURBING, toneOfResult, worstFirst } from './group.utils.ts';

const ICONS: Record<CommandType, LucideIcon> = { screen_on: Monitor, screen_off: MonitorOff, launch: AppWindow, update: ArrowDownToLine, reboot: RotateCw, shutdown: Power };

type Answer = { sent: number; offline: number; total: number; results: CommandResult[] };

/** One command to all screens of the group, and what became of it on each. */
export function Commands({ group }: { group: Group }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [asking, setAsking] = useState<CommandType>();
  const [last, setLast] = useState<{ type: CommandType; answer: Answer }>();
  const send = useEdit<CommandType, Answer>({
    topics: ['activity'],
    run: (type) => client.call(commandGroup, { params: { id: group.id }, body: { type } }),
    done: (answer, type) => {
      setLast({ type, answer });
      setAsking(undefined);
    },
    failed: () => {
      setAsking(undefined);
      return false;
    },
  });
  const press = (type: CommandType) => (DISTURBING.has(type) ? setAsking(type) : send.mutate(type));
  return (
    <>
      <div className="command-buttons">
        {COMMANDS.map((type) => (
          <Button
            key={type}
            icon={ICONS[type]}
            variant={type === 'shutdown' ? 'danger-quiet' : 'secondary'}
            isDisabled={group.device_count === 0 || send.isPending}
            isPending={send.isPending && send.variables === type && asking === undefined}
            onPress={() => press(type)}
          >
            {t(`group.command.${type}`)}
          </Button>
        ))}
      </div>
      <div role="status">
        {last && (
          <div className="command-results">
            <p>
              <strong>{t(`group.command.${last.type}`)}</strong>
              {': '}
              {t('group.reached', { count: last.answer.sent, total: last.answer.total })}
              {last.answer.offline > 0 && ` ${t('group.later', { count: last.answer.offline })}`}
            </p>
            <ul className="member-list">
              {worstFirst(last.answer.results, format.locale).map((result) => (
                <li key={result.device_id}>
                  <div className="member-text">
                    <span className="truncate">{result.name}</span>
                    {result.error && <small>{result.error}</small>}
                  </div>
                  <Badge tone={toneOfResult[result.status]} dot>
                    {t(`group.result.${result.status}`)}
                  </Badge>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      {asking && (
        <ConfirmDialog
          title={t(`group.commandAsk.${asking as 'screen_off' | 'reboot' | 'shutdown' | 'update'}`, { name: group.name })}
          confirm={t(`group.command.${asking}`)}
          danger={asking === 'shutdown'}
          isPending={send.isPending}
          onConfirm={() => send.mutate(asking)}
          onClose={() => setAsking(undefined)}
        >
          <p>{t('group.commandScreens', { count: group.device_count })}</p>
          <p>{t(`group.commandEffects.${asking as 'screen_off' | 'reboot' | 'shutdown' | 'update'}`)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
