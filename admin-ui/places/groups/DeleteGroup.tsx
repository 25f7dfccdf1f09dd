import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteGroup, type Group } from '../../../shared/contract/groups.ts';
import { Button } from '../../components/Button.tsx';
import { DangerZone } from '../../components/DangerZone.tsx';
import { client } from '../../data/client.ts';
import { schedulesQuery } from '../../data/schedules.ts';
import { DeleteRecord } from '../../parts/DeleteRecord.tsx';

export function DeleteGroup({ group }: { group: Group }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const plans = useQuery({ ...schedulesQuery({ kind: 'group', id: group.id }), enabled: asking }).data?.length ?? 0;
  return (
    <DangerZone title={t('group.deleteTitle')} lead={t('group.deleteLead')}>
      <Button icon={Trash2} variant="danger-quiet" onPress={() => setAsking(true)}>
        {t('group.delete')}
      </Button>
      {asking && (
        <DeleteRecord
          topics={['groups', 'schedules', 'devices']}
          run={() => client.call(deleteGroup, { params: { id: group.id } })}
          to="/groups"
          ask={t('group.deleteAsk', { name: group.name })}
          done={({ schedules_converted: count }) => ({ text: t('group.deleted', { name: group.name }), detail: count > 0 ? t('group.deletedPlans', { count }) : undefined })}
          onClose={() => setAsking(false)}
        >
          <p>{t('group.deleteMembers', { count: group.device_count })}</p>
          {plans > 0 && <p>{t('group.deletePlans', { count: plans })}</p>}
          <p>{t('group.deleteForGood')}</p>
        </DeleteRecord>
      )}
    </DangerZone>
  );
}
