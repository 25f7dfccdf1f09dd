import { useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useTranslation } from 'react-i18next';
import { createClient } from '../../shared/contract/client.ts';
import { getMe, type Me, switchWorkspace } from '../../shared/contract/people/auth.ts';
import { session } from '../api/session/session.ts';
import { startOver } from '../components/frame/leaving.ts';
import { Notice } from '../components/frame/Page.tsx';
import { CodeStep, PasswordStep } from '../domain/people/SignInSteps.tsx';
import '../components/controls/Dialog.css';
import '../components/frame/Doorway.css';

/**
 * Dialog that covers the page when the session has ended by itself. The page keeps all unsaved changes. If another
 * user signs in here, the page is loaded again.
 */
export function SignInAgain({ me }: { me: Me }) {
  const { t } = useTranslation();
  const [mfaToken, setMfaToken] = useState<string>();
  const [tooLate, setTooLate] = useState(false);
  const enter = ({ token, user }: { token: string; user: { id: string } }) => {
    if (user.id === me.id) return void sameWorkspace(token, me).then(session.begin);
    session.handOver(token);
    startOver('/');
  };
  const elsewhere = () => session.giveUp();
  return (
    <ModalOverlay isOpen isKeyboardDismissDisabled className="dialog-veil">
      <Modal className="dialog-box medium">
        <Dialog className="dialog">
          <div className="dialog-head">
            <Heading slot="title" level={2}>
              {t('signIn.againTitle')}
            </Heading>
          </div>
          <div className="dialog-body">
            {tooLate && <Notice tone="warn" title={t('signIn.tooLate')} />}
            {mfaToken === undefined ? (
              <>
                <p>{t('signIn.againLead')}</p>
                <PasswordStep email={me.email} onSignedIn={enter} onCode={setMfaToken} onVerify={elsewhere} />
                <button type="button" className="link-button" onClick={elsewhere}>
                  {t('signIn.againElsewhere')}
                </button>
              </>
            ) : (
              <CodeStep
                mfaToken={mfaToken}
                onSignedIn={enter}
                onExpired={() => {
                  setTooLate(true);
                  setMfaToken(undefined);
                }}
                onBack={() => setMfaToken(undefined)}
              />
            )}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/**
 * Returns a token for the workspace of the page, or for another accessible workspace if the user may no longer
 * access this workspace.
 */
const sameWorkspace = async (token: string, { current_workspace_id: workspace_id }: Me): Promise<string> => {
  const client = createClient({ origin: '', token: () => token });
  try {
    const now = await client.call(getMe);
    if (workspace_id === null || now.current_workspace_id === workspace_id) return token;
    return (await client.call(switchWorkspace, { body: { workspace_id } })).token;
  } catch {
    return token;
  }
};
