import { useQuery } from '@tanstack/react-query';
import { ExternalLink, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Scope } from '../../../shared/contract/endpoint.ts';
import { createToken, revokeToken, type Token } from '../../../shared/contract/people/tokens.ts';
import { useForm } from '../../api/editing/useForm.ts';
import { client } from '../../api/requests/client.ts';
import { copyText } from '../../api/requests/copy.ts';
import { tokensQuery } from '../../api/session/tokens.ts';
import { RadioCards } from '../../components/choices/RadioCards.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { CopyField } from '../../components/fields/CopyField.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Badge, Bone, Empty, Page } from '../../components/frame/Page.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { ConfirmEdit } from '../../domain/saving/ConfirmEdit.tsx';
import { KeptDialog } from '../../domain/saving/KeptDialog.tsx';
import keyDrawing from '../../drawings/key.svg?raw';
import { useFormat } from '../../i18n/useFormat.ts';
import { expiryOf, inForce, type Life, lives } from './tokens.utils.ts';
import './tokens.css';
import '../../components/lists/Table.css';
import '../../components/lists/ListRow.css';

export function TokensPage() {
  const { t } = useTranslation();
  const [making, setMaking] = useState(false);
  return (
    <Page
      title={t('tokens.title')}
      lead={t('tokens.lead')}
      narrow
      actions={
        <Button icon={Plus} variant="primary" onPress={() => setMaking(true)}>
          {t('tokens.make')}
        </Button>
      }
    >
      <TokenList />
      <p>
        <a href="/api/docs" target="_blank" rel="noreferrer" className="tokens-docs">
          {t('tokens.docs')}
          <ExternalLink aria-hidden />
        </a>
      </p>
      {making && <MakeToken onClose={() => setMaking(false)} />}
    </Page>
  );
}

function TokenList() {
  const { t } = useTranslation();
  const now = useNow();
  const query = useQuery(tokensQuery);
  if (!query.data) return <Unanswered query={query} bones={<Bone height="10rem" radius="var(--r-l)" />} />;
  const newestFirst = [...query.data].reverse();
  const living = newestFirst.filter((token) => inForce(token, now));
  const old = newestFirst.filter((token) => !inForce(token, now));
  if (query.data.length === 0) {
    return (
      <Empty drawing={keyDrawing} title={t('tokens.emptyTitle')}>
        {t('tokens.emptyHelp')}
      </Empty>
    );
  }
  return (
    <>
      {living.length === 0 ? (
        <p className="tokens-none">{t('tokens.none')}</p>
      ) : (
        <ul className="table-box">
          {living.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      )}
      {old.length > 0 && (
        <details className="tokens-old">
          <summary>{t('tokens.old', { count: old.length })}</summary>
          <ul className="table-box">
            {old.map((token) => (
              <TokenRow key={token.id} token={token} dead />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function TokenRow({ token, dead = false }: { token: Token; dead?: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const [asking, setAsking] = useState(false);
  const used =
    token.last_used_at === null
      ? t('tokens.neverUsed')
      : t('tokens.lastUsed', { ago: format.ago(token.last_used_at, now) });
  const end = () => {
    if (token.revoked_at !== null) return t('tokens.revoked', { date: format.date(token.revoked_at) });
    if (token.expires_at === null) return undefined;
    return dead
      ? t('tokens.expired', { date: format.date(token.expires_at) })
      : t('tokens.expires', { date: format.date(token.expires_at) });
  };
  return (
    <li className="list-row token-row">
      <div className="row-what">
        <strong>{token.name}</strong>
        <small>
          {[t('tokens.by', { name: token.user_name, date: format.date(token.created_at) }), used, end()]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </div>
      <code translate="no">{token.prefix}…</code>
      <Badge tone={token.scope === 'full' && !dead ? 'warn' : undefined}>{t(`tokens.scopes.${token.scope}`)}</Badge>
      {!dead && (
        <IconButton icon={Trash2} label={t('tokens.revoke', { name: token.name })} onPress={() => setAsking(true)} />
      )}
      {asking && (
        <ConfirmEdit
          topics={['tokens']}
          run={() => client.call(revokeToken, { params: { id: token.id } })}
          said={() => t('tokens.revokedDone', { name: token.name })}
          title={t('tokens.revokeAsk', { name: token.name })}
          confirm={t('tokens.revokeConfirm')}
          danger
          onClose={() => setAsking(false)}
        >
          <p>{t('tokens.revokeHelp')}</p>
        </ConfirmEdit>
      )}
    </li>
  );
}

function MakeToken({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const now = useNow();
  const [secret, setSecret] = useState<string>();
  const form = useForm({
    place: 'tokens/new',
    start: { name: '', scope: 'read' as Scope, life: 'forever' as Life },
    schema: createToken.body,
    topics: ['tokens'],
    run: ({ name, scope, life }) =>
      client.call(createToken, { body: { name, scope, expires_at: expiryOf(life, now) } }),
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
    <KeptDialog title={t('tokens.makeTitle')} onClose={onClose} form={form} submit={t('tokens.create')}>
      <TextField
        {...form.field('name', t('common.name'))}
        hint={t('tokens.nameHint')}
        placeholder={t('tokens.namePlaceholder')}
        autoFocus
        maxLength={100}
      />
      <RadioCards
        label={t('tokens.scope')}
        value={form.values.scope}
        onChange={(scope) => form.set({ scope })}
        options={Scope.options.map((value) => ({
          value,
          label: t(`tokens.scopes.${value}`),
          hint: t(`tokens.scopeHints.${value}`),
        }))}
      />
      <Select
        label={t('tokens.lives')}
        value={form.values.life}
        onChange={(life) => form.set({ life })}
        options={lives.map((value) => ({ value, label: t(`tokens.livesFor.${value}`) }))}
      />
    </KeptDialog>
  );
}
