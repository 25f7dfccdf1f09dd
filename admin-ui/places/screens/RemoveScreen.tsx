import { useNavigate } from '@tanstack/react-router';
import { Unplug } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Device, deleteDevice } from '../../../shared/contract/devices.ts';
import { Button } from '../../components/Button.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';

export function RemoveScreen({ screen }: { screen: Device }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const remove = useEdit({
    topics: ['devices', 'pending'],
    run: async () => {
      // The page of a screen that is gone would only ask for it again.
      const gone = await client.call(deleteDevice, { params: { id: screen.id } });
      await navigate({ to: '/screens' });
      return gone;
    },
    done: () => toast({ tone: 'done', text: t('screen.removed', { name: screen.name }) }),
  });
  return (
    <section className="danger-zone">
      <div>
        <h2>{t('screen.removeTitle')}</h2>
        <p>{t('screen.removeLead')}</p>
      </div>
      <Button icon={Unplug} variant="danger-quiet" onPress={() => setAsking(true)}>
        {t('screen.remove')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('screen.removeAsk', { name: screen.name })}
          confirm={t('screen.remove')}
          danger
          isPending={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('screen.removeEffects')}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
