import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CommandStatus, commandDevice, type Device } from '../../../shared/contract/screens/devices.ts';
import { COMMAND_NAMES, type CommandName } from '../../../shared/protocol/commands.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { Button } from '../../components/controls/Button.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { CommandDialog, type Order } from '../../domain/screens/CommandDialog.tsx';
import { iconOf, needsConfirmation, whyNot } from '../../domain/screens/commands.utils.ts';

/** Commands for this screen. An unavailable command shows the reason. */
export function ScreenCommands({ screen }: { screen: Device }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<CommandName>();
  const command = useEdit<Order, { status: CommandStatus; error?: string | undefined }>({
    topics: ['devices'],
    run: (body) => client.call(commandDevice, { params: { id: screen.id }, body }),
    done: ({ status, error }, { type }) => {
      const tone = status === 'done' ? 'done' : status === 'sent' || status === 'offline' ? 'note' : 'problem';
      toast({
        tone,
        text: t(`commands.result.${status}`, { command: t(`commands.of.${type}.name`), screen: screen.name }),
        detail: error,
      });
    },
  });
  const give = (order: Order) => {
    setAsking(undefined);
    command.mutate(order);
  };
  return (
    <>
      <ul className="commands">
        {COMMAND_NAMES.map((type) => (
          <li key={type}>
            <Command
              screen={screen}
              type={type}
              isPending={command.isPending && command.variables?.type === type}
              onPress={() => (needsConfirmation(type, 1) ? setAsking(type) : give({ type }))}
            />
          </li>
        ))}
      </ul>
      {asking && (
        <CommandDialog type={asking} to={screen.name} count={1} onGive={give} onClose={() => setAsking(undefined)} />
      )}
    </>
  );
}

type CommandProps = { screen: Device; type: CommandName; isPending: boolean; onPress: () => void };

function Command({ screen, type, isPending, onPress }: CommandProps) {
  const { t } = useTranslation();
  const hint = useId();
  const reason = whyNot([screen], type);
  return (
    <>
      <Button
        icon={iconOf(type)}
        size="small"
        wide
        isDisabled={reason !== undefined}
        isPending={isPending}
        onPress={onPress}
        aria-describedby={hint}
      >
        {t(`commands.of.${type}.name`)}
      </Button>
      <small id={hint}>{reason ? t(`commands.why.${reason}`) : t(`commands.of.${type}.about`)}</small>
    </>
  );
}
