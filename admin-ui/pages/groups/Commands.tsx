import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CommandResult } from '../../../shared/contract/screens/devices.ts';
import { commandGroup, type Group } from '../../../shared/contract/screens/groups.ts';
import { COMMAND_NAMES, COMMANDS, type CommandName } from '../../../shared/protocol/commands.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { useLiveStatuses } from '../../api/live/useLive.ts';
import { client } from '../../api/requests/client.ts';
import { onlineFirstQuery } from '../../api/screens.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Badge } from '../../components/frame/Page.tsx';
import { CommandDialog, type Order } from '../../domain/screens/CommandDialog.tsx';
import { iconOf, needsConfirmation, whyNot } from '../../domain/screens/commands.utils.ts';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { toneOfResult, worstFirst } from './group.utils.ts';

type Answer = { sent: number; offline: number; total: number; results: CommandResult[] };

/** Sends a command to all screens of the group, and shows the result of each screen. */
export function Commands({ group }: { group: Group }) {
  const { t } = useTranslation();
  const format = useFormat();
  const statuses = useLiveStatuses();
  // A command is offered if one of the first hundred screens supports it. Online screens come first.
  const members = useQuery(onlineFirstQuery({ group_id: group.id })).data?.rows ?? [];
  const screens = members.map((screen) => ({ ...screen, status: statuses.get(screen.id) ?? screen.status }));
  const [asking, setAsking] = useState<CommandName>();
  const [last, setLast] = useState<{ type: CommandName; answer: Answer }>();
  const send = useEdit<Order, Answer>({
    topics: ['activity'],
    run: (body) => client.call(commandGroup, { params: { id: group.id }, body }),
    done: (answer, { type }) => {
      setLast({ type, answer });
      setAsking(undefined);
    },
    failed: () => {
      setAsking(undefined);
      return false;
    },
  });
  const press = (type: CommandName) =>
    needsConfirmation(type, group.device_count) ? setAsking(type) : send.mutate({ type });
  return (
    <>
      <div className="command-buttons">
        {COMMAND_NAMES.map((type) => (
          <Button
            key={type}
            icon={iconOf(type)}
            variant={COMMANDS[type].isGrave ? 'danger-quiet' : 'secondary'}
            isDisabled={whyNot(screens, type) !== undefined || send.isPending}
            isPending={send.isPending && send.variables.type === type && asking === undefined}
            onPress={() => press(type)}
          >
            {t(`commands.of.${type}.name`)}
          </Button>
        ))}
      </div>
      <div role="status">
        {last && (
          <div className="command-results">
            <p>
              <strong>{t(`commands.of.${last.type}.name`)}</strong>
              {': '}
              {t('group.reached', { count: last.answer.sent, total: last.answer.total })}
              {last.answer.offline > 0 && ` ${t('group.later', { count: last.answer.offline })}`}
            </p>
            <ul className="member-list">
              {worstFirst(last.answer.results, format.locale).map((result) => (
                <li key={result.device_id}>
                  <div className="member-text">
                    <span className="truncate">{result.name}</span>
                    {result.error && <small>{worded(result.error)}</small>}
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
        <CommandDialog
          type={asking}
          to={group.name}
          count={group.device_count}
          isPending={send.isPending}
          onGive={(order) => send.mutate(order)}
          onClose={() => setAsking(undefined)}
        >
          <p>{t('group.commandScreens', { count: group.device_count })}</p>
        </CommandDialog>
      )}
    </>
  );
}
