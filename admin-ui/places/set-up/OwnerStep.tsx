import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Choices.tsx';
import { Notice } from '../../components/Page.tsx';
import { TextField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { configQuery } from '../../data/me.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { canMake, NewAccount, noAccount } from '../../parts/NewAccount.tsx';
import { openShop } from './openShop.ts';

export function OwnerStep({ store, onBack, onDone }: { store: string; onBack: () => void; onDone: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [account, setAccount] = useState(noAccount);
  const needsCode = useQuery(configQuery).data?.setup_code_required ?? false;
  const [code, setCode] = useState('');
  const lacksCode = needsCode && code.trim() === '';
  const [closed, setClosed] = useState(true);
  const [asked, setAsked] = useState(false);
  const open = useMutation({
    mutationFn: () => openShop({ store: store.trim(), ...account, registration: closed ? 'closed' : 'open', setupCode: code.trim() }),
    onSuccess: ({ settingsSaved }) => {
      queries.clear();
      if (!settingsSaved) toast({ tone: 'problem', text: t('setUp.settingsFailed') });
      onDone();
    },
  });
  const problem = open.isError ? describeProblem(open.error, t) : undefined;
  return (
    <Form
      className="form"
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (canMake(account) && !lacksCode) open.mutate();
      }}
    >
      {problem && (
        <Notice tone="bad" title={problem.text}>
          {problem.detail}
        </Notice>
      )}
      <NewAccount value={account} onChange={(part) => setAccount((now) => ({ ...now, ...part }))} asked={asked} />
      {needsCode && (
        <TextField
          label={t('setUp.code')}
          hint={t('setUp.codeHint')}
          value={code}
          onChange={setCode}
          error={asked && lacksCode ? t('setUp.needCode') : undefined}
          autoComplete="off"
          spellCheck="false"
        />
      )}
      <Checkbox isSelected={closed} onChange={setClosed} hint={t('setUp.closedHint')}>
        {t('setUp.closed')}
      </Checkbox>
      <div className="form-actions">
        <Button onPress={onBack}>{t('common.back')}</Button>
        <Button type="submit" variant="primary" isPending={open.isPending}>
          {t('setUp.submit')}
        </Button>
      </div>
    </Form>
  );
}
