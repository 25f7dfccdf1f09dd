import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { register } from '../../../shared/contract/people/auth.ts';
import { updateWorkspace } from '../../../shared/contract/people/workspaces.ts';
import { updateServerSettings } from '../../../shared/contract/server/server.ts';
import { fitsServerName } from '../../api/editing/validation.ts';
import { client } from '../../api/requests/client.ts';
import { describeProblem } from '../../api/requests/useProblem.ts';
import { configQuery } from '../../api/session/me.ts';
import { session } from '../../api/session/session.ts';
import { Checkbox } from '../../components/choices/Choices.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { Form } from '../../components/fields/Form.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Doorway } from '../../components/frame/Doorway.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { canMake, NewAccount, noAccount } from '../../domain/people/NewAccount.tsx';
import { ownLanguage } from '../../i18n/language.ts';

/** Page that sets up a new server: first the name of the store, then its owner. */
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
        <OwnerStep
          store={store}
          onBack={() => setNamed(false)}
          onDone={() => void navigate({ to: '/', replace: true })}
        />
      ) : (
        <StoreStep store={store} onStore={setStore} onNext={() => setNamed(true)} />
      )}
    </Doorway>
  );
}

function StoreStep({
  store,
  onStore,
  onNext,
}: {
  store: string;
  onStore: (store: string) => void;
  onNext: () => void;
}) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const problem = !store.trim() ? t('setUp.needStore') : fitsServerName(store) ? undefined : t('setUp.storeTooLong');
  return (
    <Form
      onSubmit={() => {
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

function OwnerStep({ store, onBack, onDone }: { store: string; onBack: () => void; onDone: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [account, setAccount] = useState(noAccount);
  const needsCode = useQuery(configQuery).data?.setup_code_required ?? false;
  const [code, setCode] = useState('');
  const lacksCode = needsCode && code.trim() === '';
  const [closed, setClosed] = useState(true);
  const [asked, setAsked] = useState(false);
  const open = useMutation({
    mutationFn: () =>
      openShop({ store: store.trim(), ...account, registration: closed ? 'closed' : 'open', setupCode: code.trim() }),
    onSuccess: ({ settingsSaved }) => {
      queries.clear();
      if (!settingsSaved) toast({ tone: 'problem', text: t('setUp.settingsFailed') });
      onDone();
    },
  });
  const problem = open.isError ? describeProblem(open.error, t) : undefined;
  return (
    <Form
      onSubmit={() => {
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

type Shop = {
  store: string;
  name: string;
  email: string;
  password: string;
  registration: 'open' | 'closed';
  setupCode: string;
};

/**
 * Registers the first user, then closes the registration and sets the names of server and organization. If only the
 * second part fails, the user is still signed in, since registering cannot be repeated.
 */
const openShop = async ({
  store,
  name,
  email,
  password,
  registration,
  setupCode,
}: Shop): Promise<{ settingsSaved: boolean }> => {
  const answer = await client.call(register, {
    body: { email, password, name, language: ownLanguage(), ...(setupCode && { setup_code: setupCode }) },
  });
  if (!('token' in answer)) throw new ApiError(409, 'This server has an owner already');
  session.begin(answer.token);
  try {
    await client.call(updateServerSettings, { body: { name: store, registration } });
    if (answer.current_workspace_id)
      await client.call(updateWorkspace, {
        params: { id: answer.current_workspace_id },
        body: { organization_name: store },
      });
    return { settingsSaved: true };
  } catch {
    return { settingsSaved: false };
  }
};
