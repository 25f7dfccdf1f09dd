import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/TextField.tsx';
import { fitsServerName } from '../../data/validation.ts';

export function StoreStep({ store, onStore, onNext }: { store: string; onStore: (store: string) => void; onNext: () => void }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const problem = !store.trim() ? t('setUp.needStore') : fitsServerName(store) ? undefined : t('setUp.storeTooLong');
  return (
    <Form
      className="form"
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (problem === undefined) onNext();
      }}
    >
      <TextField
        label={t('setUp.storeName')}
        name="organization"
        autoComplete="organization"
        autoFocus
        value={store}
        onChange={onStore}
        hint={t('setUp.storeHint')}
        error={asked ? problem : undefined}
      />
      <Button type="submit" variant="primary" wide>
        {t('common.continue')}
      </Button>
    </Form>
  );
}
