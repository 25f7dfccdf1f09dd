import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../shared/contract/errors.ts';
import type { BackupsState } from '../../shared/contract/upkeep.ts';
import { Button } from '../components/Button.tsx';
import { Notice } from '../components/Page.tsx';
import { PasswordField } from '../components/TextField.tsx';
import { session } from '../data/session.ts';

/** What the server asks for before it believes that it is this person: nothing, their password, or to sign in anew. */
export const useProof = (proof: BackupsState['proof']) => {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(proof === 'password');
  const [wrong, setWrong] = useState<string>();
  return {
    /** Whoever signs in elsewhere has no password here. */
    body: password === '' ? {} : { password },
    isPossible: proof !== 'sign_in',
    /** Says whether an error was about the proof; then the fields say it. */
    refused: (error: Error): boolean => {
      const code = error instanceof ApiError ? error.code : undefined;
      if (code !== 'wrong_password' && code !== 'password_required') return false;
      // The session has become too old since it was shown.
      setAsked(true);
      setWrong(t(code === 'password_required' ? 'proof.now' : 'proof.wrong'));
      return true;
    },
    fields: (
      <>
        {proof === 'sign_in' && (
          <Notice
            tone="info"
            title={t('proof.signInFirst')}
            actions={
              <Button size="small" onPress={() => session.end()}>
                {t('proof.signInAgain')}
              </Button>
            }
          />
        )}
        {asked && (
          <PasswordField
            label={t('proof.password')}
            value={password}
            onChange={(next) => {
              setWrong(undefined);
              setPassword(next);
            }}
            error={wrong}
            autoComplete="current-password"
            autoFocus
          />
        )}
      </>
    ),
  };
};
