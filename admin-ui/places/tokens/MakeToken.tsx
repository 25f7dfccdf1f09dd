import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Scope } from '../../../shared/contract/endpoint.ts';
import { createToken } from '../../../shared/contract/tokens.ts';
import { Button } from '../../components/Button.tsx';
import { CopyField } from '../../components/CopyField.tsx';
import { Dialog, FormDialog } from '../../components/Dialog.tsx';
import { RadioCards } from '../../components/RadioCards.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useNow } from '../../components/useNow.ts';
import { client } from '../../data/client.ts';
import { copyText } from '../../data/copy.ts';
import { useForm } from '../../data/useForm.ts';
import { expiryOf, type Life, lives } from './tokens.utils.ts';

export function MakeToken({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const now = useNow();
  const [secret, setSecret] = useState<string>();
  const form = useForm({
    start: { name: '', scope: 'read' as Scope, life: 'forever' as Life },
    schema: createToken.body,
    topics: ['tokens'],
    run: ({ name, scope, life }) => client.call(createToken, { body: { name, scope, expires_at: expiryOf(life, now) } }),
    done: ({ token }) => setSecret(token),
  });
  if (secret !== undefined) {
    return (
      <Dialog
        title={t('tokens.madeTitle')}
        onClose={onClose}
        actions={
          <Button variant="primary" onPress={onClose}>
            {t('tokens.kept')}
          </Button>
        }
      >
        <p>{t('tokens.madeHelp')}</p>
        <CopyField label={t('tokens.token')} value={secret} onCopy={copyText} />
      </Dialog>
    );
  }
  return (
    <FormDialog title={t('tokens.makeTitle')} onClose={onClose} onSubmit={form.send} submit={t('tokens.create')} isPending={form.isPending}>
      <TextField {...form.field('name', t('tokens.name'))} hint={t('tokens.nameHint')} placeholder={t('tokens.namePlaceholder')} autoFocus maxLength={100} />
      <RadioCards
        label={t('tokens.scope')}
        value={form.values.scope}
        onChange={(scope) => form.set({ scope })}
        options={Scope.options.map((value) => ({ value, label: t(`tokens.scopes.${value}`), hint: t(`tokens.scopeHints.${value}`) }))}
      />
      <Select
        label={t('tokens.lives')}
        value={form.values.life}
        onChange={(life) => form.set({ life })}
        options={lives.map((value) => ({ value, label: t(`tokens.livesFor.${value}`) }))}
      />
    </FormDialog>
  );
}
