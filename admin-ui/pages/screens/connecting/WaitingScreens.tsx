import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../../shared/contract/errors.ts';
import { type PendingPlayer, pairDevice } from '../../../../shared/contract/screens/pairing.ts';
import { useEdit } from '../../../api/editing/useEdit.ts';
import { client } from '../../../api/requests/client.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { spellCode } from '../screens.utils.ts';

export function WaitingScreens({ players }: { players: readonly PendingPlayer[] }) {
  return (
    <ul className="waiting-list">
      {players.map((player) => (
        <li key={player.pending_id}>
          <WaitingScreen player={player} />
        </li>
      ))}
    </ul>
  );
}

function WaitingScreen({ player }: { player: PendingPlayer }) {
  const { t } = useTranslation();
  const [name, setName] = useState(player.name);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const claim = useEdit({
    topics: ['devices', 'pending'],
    run: () =>
      client.call(pairDevice, { body: { pending_id: player.pending_id, name, ...(player.own_code && { code }) } }),
    said: (screen) => t('screens.claimed', { name: screen.name }),
    failed: (error) => {
      if (!player.own_code || !(error instanceof ApiError) || error.status !== 404) return false;
      setProblem(t('screens.codeOther'));
      return true;
    },
  });
  return (
    <article className="waiting-card">
      <div className="waiting-head">
        <div>
          <h3 className="truncate">{player.name}</h3>
          <p className="truncate">{[player.platform, player.ip_address].filter(Boolean).join(' · ')}</p>
        </div>
        {!player.own_code && (
          <div className="waiting-code">
            <small>{t('screens.waitingCode')}</small>
            <strong translate="no">{spellCode(player.code)}</strong>
          </div>
        )}
      </div>
      {player.own_code && <p className="field-hint">{t('screens.ownCodeLead')}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (player.own_code && !code.trim()) setProblem(t('screens.needCode'));
          else claim.mutate();
        }}
      >
        {player.own_code && (
          <div className="code-field">
            <TextField
              label={t('screens.waitingCode')}
              value={code}
              onChange={(text) => {
                setCode(text);
                setProblem(undefined);
              }}
              autoComplete="off"
              spellCheck="false"
              maxLength={12}
              error={problem}
            />
          </div>
        )}
        <TextField label={t('common.name')} value={name} onChange={setName} maxLength={200} />
        <Button type="submit" variant="primary" isPending={claim.isPending}>
          {t('screens.claim')}
        </Button>
      </form>
    </article>
  );
}
