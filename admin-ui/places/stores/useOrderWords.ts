import { useTranslation } from 'react-i18next';
import type { StoreOrder } from '../../../shared/contract/orders.ts';
import { isCommandName } from '../../../shared/protocol/commands.ts';

/** What a command is called, and which screens it is for. */
export const useOrderWords = () => {
  const { t } = useTranslation();
  return {
    /** One of a newer server is called as it calls it. */
    nameOf: ({ command: { type } }: Pick<StoreOrder, 'command'>): string =>
      isCommandName(type) ? t(`commands.of.${type}.name`) : type,
    screensOf: ({ tag }: Pick<StoreOrder, 'tag'>): string =>
      tag === null ? t('orders.allScreens') : t('orders.withTag', { tag }),
  };
};
