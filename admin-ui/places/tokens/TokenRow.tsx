import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { revokeToken, type Token } from '../../../shared/contract/tokens.ts';
import { IconButton } from '../../components/Button.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Badge } from '../../components/Page.tsx';
import '../../components/Table.css';
import { toast } from '../../components/toasts.ts';
import { useNow } from '../../components/useNow.ts';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import '../../parts/ListRow.css';

export function TokenRow({ token, dead = false }: { token: Token; dead?: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const [asking, setAsking] = useState(false);
  const revoke = useEdit({
    topics: ['tokens'],
    run: () => client.call(revokeToken, { params: { id: token.id } }),
    done: () => {
      setAsking(false);
      toast({ tone: 'done', text: t('tokens.revokedDone', { name: token.name }) });
    },
  });
  const used = token.last_used_at === null ? t('tokens.neverUsed') : t('tokens.lastUsed', { ago: format.ago(token.last_used_at, now) });
  const end = () => {
    if (token.revoked_at !== null) return t('tokens.revoked', { date: format.date(token.revoked_at) });
    if (token.expires_at === null) return undefined;
    return dead ? t('tokens.expired', { date: format.date(token.expires_at) }) : t('tokens.expires', { date: format.date(token.expires_at) });
  };
  return (
    <li className="list-row token-row">
      <div className="row-what">
        <strong>{token.name}</strong>
        <small>{[t('tokens.by', { name: token.user_name, date: format.date(token.created_at) }), used, end()].filter(Boolean).join(' · ')}</small>
      </div>
      <code translate="no">{token.prefix}…</code>
      <Badge tone={token.scope === 'full' && !dead ? 'warn' : undefined}>{t(`tokens.scopes.${token.scope}`)}</Badge>
      {!dead && <IconButton icon={Trash2} label={t('tokens.revoke', { name: token.name })} onPress={() => setAsking(true)} />}
      {asking && (
        <ConfirmDialog
          title={t('tokens.revokeAsk', { name: token.name })}
          confirm={t('tokens.revokeConfirm')}
          danger
          isPending={revoke.isPending}
          onConfirm={() => revoke.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('tokens.revokeHelp')}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}
