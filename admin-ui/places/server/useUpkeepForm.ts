import { type UpkeepChange, type UpkeepSettings, updateUpkeepSettings } from '../../../shared/contract/upkeep.ts';
import { client } from '../../data/client.ts';
import { useSettingsForm } from './useSettingsForm.ts';

export const useUpkeepForm = (settings: UpkeepSettings) => {
  const form = useSettingsForm<UpkeepSettings, UpkeepChange>(settings, (body) =>
    client.call(updateUpkeepSettings, { body }),
  );
  return {
    ...form,
    /** Secrets go in and never come out: empty until one is typed. */
    secret: (name: 'webhook_secret' | 'mqtt_password'): string => form.draft[name] ?? '',
  };
};

export type UpkeepForm = ReturnType<typeof useUpkeepForm>;
