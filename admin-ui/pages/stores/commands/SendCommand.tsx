import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Terminal } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tag } from '../../../../shared/contract/fields.ts';
import { createRemoteCommand } from '../../../../shared/contract/headquarters/remote-commands.ts';
import { COMMAND_NAMES, COMMANDS, type CommandName } from '../../../../shared/protocol/commands.ts';
import { enrolledStoresQuery } from '../../../api/chain/remoteCommands.ts';
import { useEdit } from '../../../api/editing/useEdit.ts';
import { client } from '../../../api/requests/client.ts';
import { Menu, MenuItem } from '../../../components/choices/Menu.tsx';
import { Select } from '../../../components/choices/Select.tsx';
import { Button } from '../../../components/controls/Button.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { Unanswered } from '../../../domain/records/QueryFailure.tsx';
import { CommandDialog, type Order } from '../../../domain/screens/CommandDialog.tsx';
import { iconOf } from '../../../domain/screens/commands.utils.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import type { StoresData } from '../useStoresData.ts';
import { LASTING, type Lasting } from './remoteCommands.utils.ts';

/** Menu that sends a command to the screens of the listed stores. */
export function SendCommand({ data }: { data: StoresData }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<CommandName>();
  return (
    <>
      <Menu
        label={t('orders.send')}
        trigger={
          <Button icon={Terminal} isDisabled={data.total === 0}>
            {t('orders.send')}
          </Button>
        }
      >
        {COMMAND_NAMES.map((type) => (
          <MenuItem
            key={type}
            icon={iconOf(type)}
            hint={t(`commands.of.${type}.about`)}
            danger={COMMANDS[type].isGrave}
            onAction={() => setAsking(type)}
          >
            {t(`commands.of.${type}.name`)}
          </MenuItem>
        ))}
      </Menu>
      {asking && <SendDialog type={asking} data={data} onClose={() => setAsking(undefined)} />}
    </>
  );
}

type SendDialogProps = { type: CommandName; data: StoresData; onClose: () => void };

/** Returns the enrolled stores in the list; undefined while unknown. */
const useMeant = ({ filter: { order: _, ...filter }, narrowed, counts }: StoresData) => {
  // Without a filter, the counts of all stores are loaded already, so only a filtered list is fetched.
  const listed = useQuery({ ...enrolledStoresQuery(filter), enabled: narrowed });
  if (narrowed) return { query: listed, ids: listed.data?.ids, count: listed.data?.ids.length, ...listed.data };
  const { line, screens_total: screens } = counts.data ?? {};
  return { query: counts, ids: undefined, count: line && line.up + line.down, screens };
};

function SendDialog({ type, data, onClose }: SendDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const { region, tag: storeTag, order: _, ...narrower } = data.filter;
  const { query, ids = [], count, screens = 0 } = useMeant(data);
  const [tag, setTag] = useState('');
  const [lasting, setLasting] = useState<Lasting>('60');
  const wrong = tag.trim() !== '' && !Tag.safeParse(tag).success;
  const send = useEdit({
    topics: ['stores'],
    run: (command: Order) =>
      client.call(createRemoteCommand, {
        body: {
          command,
          tag: tag.trim() || null,
          lasts_minutes: Number(lasting),
          stores: Object.values(narrower).every((value) => value === undefined)
            ? { which: 'all', ...(region && { region }), ...(storeTag && { tag: storeTag }) }
            : { which: 'named', ids },
        },
      }),
    done: ({ id }) => {
      onClose();
      void navigate({ to: '/stores/orders/$orderId', params: { orderId: id } });
    },
  });
  const words = {
    stores: t('orders.stores', { count: count ?? 0 }),
    screens: t('common.screens', { count: screens }),
  };
  return (
    <CommandDialog
      type={type}
      to={t('orders.to', { count: count ?? 0 })}
      count={screens}
      isPending={send.isPending || query.isPending}
      onGive={(order) => !wrong && count && send.mutate(order)}
      onClose={onClose}
    >
      <Unanswered query={query} />
      {count !== undefined && (
        <p role="status">
          <strong>
            {count === 0
              ? t('orders.goesNowhere')
              : t(tag.trim() === '' ? 'orders.goesTo' : 'orders.goesToTagged', words)}
          </strong>
        </p>
      )}
      <TextField
        label={t('orders.tag')}
        hint={t('orders.tagHint')}
        value={tag}
        onChange={setTag}
        error={wrong ? t('orders.tagWrong') : undefined}
        autoComplete="off"
      />
      <Select<Lasting>
        label={t('orders.lasts')}
        hint={t('orders.lastsHint')}
        value={lasting}
        onChange={setLasting}
        options={LASTING.map((value) => ({ value, label: format.span(Number(value) * 60) }))}
      />
    </CommandDialog>
  );
}
