import { ScanEye } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type Device, type IdentifyResult, identifyDevice } from '../../../shared/contract/screens/devices.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { Button } from '../../components/controls/Button.tsx';
import { toast } from '../../components/controls/toasts.ts';

/** Button that makes the screen show its name for a moment. */
export function IdentifyButton({ screen }: { screen: Device }) {
  const { t } = useTranslation();
  const identify = useEdit<void, Pick<IdentifyResult, 'status'>>({
    topics: [],
    run: () => client.call(identifyDevice, { params: { id: screen.id }, body: { seconds: null } }),
    done: ({ status }) =>
      toast({ tone: status === 'sent' ? 'done' : 'note', text: t(`identify.${status}`, { screen: screen.name }) }),
  });
  return (
    <Button
      icon={ScanEye}
      isDisabled={screen.status !== 'online'}
      isPending={identify.isPending}
      onPress={() => identify.mutate()}
    >
      {t('identify.title')}
    </Button>
  );
}
