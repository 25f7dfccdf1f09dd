import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteGroup, type Group } from '../../../shared/contract/groups.ts';
import { Button } from '../../components/Button.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { schedulesQuery } from '../../data/schedules.ts';
import { useEdit } from '../../data/useEdit.ts';

export function DeleteGroup({ group }: { group: Group }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const plans = useQuery({ ...schedulesQuery({ kind: 'group', id: group.id }), enabled: asking }).data?.length ?? 0;
  const remove = useEdit({
    topics: ['groups', 'schedules', 'devices'],
    run: async () => {
      const gone = await client.call(deleteGroup, { params: { id: group.id } });
      await navigate({ to: '/groups' });
      return gone;
    },
    done: ({ schedules_converted: count }) =>
      toast({ tone: 'done', text: t('group.deleted', { name: group.name }), detail: count > 0 ? t('group.deletedPlans', { count }) : undefined }),
  });
  return (
    <section className="danger-zone">
      <div>
        <h2>{t('group.deleteTitle')}</h2>
        <p>{t('group.deleteLead')}</p>
      </div>
      <Button icon={Trash2} variant="danger-quiet" onPress={() => setAsking(true)}>
        {t('group.delete')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('group.deleteAsk', { name: group.name })}
          confirm={t('common.delete')}
          danger
          isPending={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('group.deleteMembers', { count: group.device_count })}</p>
          {plans > 0 && <p>{t('group.deletePlans', { count: plans })}</p>}
          <p>{t('group.deleteForGood')}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
