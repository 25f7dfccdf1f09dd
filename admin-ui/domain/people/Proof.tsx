import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { BackupsState } from '../../../shared/contract/server/upkeep.ts';
import { session } from '../../api/session/session.ts';
import { Button } from '../../components/controls/Button.tsx';
import { PasswordField } from '../../components/fields/TextField.tsx';
import { Notice } from '../../components/frame/Page.tsx';

/**
 * Returns the fields for the proof of identity that the server requires: none, the password, or a hint to sign in
 * again.
 */
export const useProof = (proof: BackupsState['proof']) => {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(proof === 'password');
  const [wrong, setWrong] = useState<string>();
  return {
    /** Without an entered password, the request contains none: users of a sign-in provider have no password here. */
    body: password === '' ? {} : { password },
    isPossible: proof !== 'sign_in',
    /** Returns whether an error was about the proof of identity. In this case, the fields show the error. */
    refused: (error: Error): boolean => {
      const code = error instanceof ApiError ? error.code : undefined;
      if (code !== 'wrong_password' && code !== 'password_required') return false;
      // Shows the password field, because the session may have become too old while the form was open.
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
