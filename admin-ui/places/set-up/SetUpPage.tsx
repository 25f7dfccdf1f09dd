import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Doorway } from '../../components/Doorway.tsx';
import { OwnerStep } from './OwnerStep.tsx';
import { StoreStep } from './StoreStep.tsx';

/** The first minutes of a new server: the store's name, then its owner. */
export function SetUpPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [store, setStore] = useState('');
  const [named, setNamed] = useState(false);
  return (
    <Doorway
      step={t('setUp.step', { n: named ? 2 : 1 })}
      title={named ? t('setUp.ownerTitle') : t('setUp.storeTitle')}
      lead={named ? t('setUp.ownerLead') : undefined}
      words={{ title: t('setUp.welcome'), lead: t('setUp.welcomeLead') }}
    >
      {named ? (
        <OwnerStep store={store} onBack={() => setNamed(false)} onDone={() => void navigate({ to: '/screens', replace: true })} />
      ) : (
        <StoreStep store={store} onStore={setStore} onNext={() => setNamed(true)} />
      )}
    </Doorway>
  );
}
