import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Scope } from '../../../shared/contract/endpoint.ts';
import { createToken } from '../../../shared/contract/tokens.ts';
import { Button } from '../../components/Button.tsx';
import { CopyField } from '../../components/CopyField.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { RadioCards } from '../../components/RadioCards.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useNow } from '../../components/useNow.ts';
import { client } from '../../data/client.ts';
import { copyText } from '../../data/copy.ts';
import { useEdit } from '../../data/useEdit.ts';
import { expiryOf, type Life, lives } from './tokens.utils.ts';

export function MakeToken({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const now = useNow();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('read');
  const [life, setLife] = useState<Life>('forever');
  const [asked, setAsked] = useState(false);
  const [secret, setSecret] = useState<string>();
  const make = useEdit({
    topics: ['tokens'],
    run: () => client.call(createToken, { body: { name, scope, expires_at: expiryOf(life, now) } }),
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
    <Dialog
      title={t('tokens.makeTitle')}
      onClose={onClose}
      onSubmit={() => {
        setAsked(true);
        if (name.trim()) make.mutate();
      }}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" isPending={make.isPending}>
            {t('tokens.create')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('tokens.name')}
        hint={t('tokens.nameHint')}
        placeholder={t('tokens.namePlaceholder')}
        autoFocus
        maxLength={100}
        value={name}
        onChange={setName}
        error={asked && !name.trim() ? t('tokens.needName') : undefined}
      />
      <RadioCards
        label={t('tokens.scope')}
        value={scope}
        onChange={setScope}
        options={Scope.options.map((value) => ({ value, label: t(`tokens.scopes.${value}`), hint: t(`tokens.scopeHints.${value}`) }))}
      />
      <Select label={t('tokens.lives')} value={life} onChange={setLife} options={lives.map((value) => ({ value, label: t(`tokens.livesFor.${value}`) }))} />
    </Dialog>
  );
}
