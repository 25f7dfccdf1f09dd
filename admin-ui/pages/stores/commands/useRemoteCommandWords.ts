import { useTranslation } from 'react-i18next';
import type { RemoteCommand } from '../../../../shared/contract/headquarters/remote-commands.ts';
import { isCommandName } from '../../../../shared/protocol/commands.ts';

/** Returns functions that name a command and its target screens. */
export const useRemoteCommandWords = () => {
  const { t } = useTranslation();
  return {
    /** Returns the name of a command. A command of a newer server is shown by its technical name. */
    nameOf: ({ command: { type } }: Pick<RemoteCommand, 'command'>): string =>
      isCommandName(type) ? t(`commands.of.${type}.name`) : type,
    screensOf: ({ tag }: Pick<RemoteCommand, 'tag'>): string =>
      tag === null ? t('orders.allScreens') : t('orders.withTag', { tag }),
  };
};
