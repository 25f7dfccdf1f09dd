import { Unplug } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Device, deleteDevice } from '../../../shared/contract/screens/devices.ts';
import { client } from '../../api/requests/client.ts';
import { Button } from '../../components/controls/Button.tsx';
import { DangerZone } from '../../components/frame/DangerZone.tsx';
import { DeleteRecord } from '../../domain/saving/DeleteRecord.tsx';

export function RemoveScreen({ screen }: { screen: Device }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <DangerZone title={t('screen.removeTitle')} lead={t('screen.removeLead')}>
      <Button icon={Unplug} variant="danger-quiet" onPress={() => setAsking(true)}>
        {t('screen.remove')}
      </Button>
      {asking && (
        <DeleteRecord
          topics={['devices', 'pending']}
          run={() => client.call(deleteDevice, { params: { id: screen.id } })}
          to="/screens"
          title={t('screen.removeAsk', { name: screen.name })}
          confirm={t('screen.remove')}
          said={() => t('screen.removed', { name: screen.name })}
          onClose={() => setAsking(false)}
        >
          <p>{t('screen.removeEffects')}</p>
        </DeleteRecord>
      )}
    </DangerZone>
  );
}
