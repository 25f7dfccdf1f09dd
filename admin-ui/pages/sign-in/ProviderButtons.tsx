import { useQuery } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerOf } from '../../../shared/contract/endpoint.ts';
import type { getConfig } from '../../../shared/contract/people/auth.ts';
import { configQuery } from '../../api/session/me.ts';
import { Button } from '../../components/controls/Button.tsx';
import { depart } from './providerDeparture.ts';

type Config = AnswerOf<typeof getConfig>;

/** Polling interval in milliseconds. The server looks up its sign-in providers only after its first answer. */
const ASK_AGAIN_MS = 2_000;
/** Milliseconds after which a provider without an answer is shown as not answering. */
const PATIENCE_MS = 8_000;

const providersOf = (config: Config) =>
  [
    {
      which: 'a' as const,
      isOn: config.providerAEnabled,
      name: config.providerAName,
      clientId: config.providerAClientId,
      endpoint: config.providerAAuthorizationEndpoint,
    },
    {
      which: 'b' as const,
      isOn: config.providerBEnabled,
      name: config.providerBName,
      clientId: config.providerBClientId,
      endpoint: config.providerBAuthorizationEndpoint,
    },
  ].filter(({ isOn }) => isOn);

export function ProviderButtons({ config, next }: { config: Config; next: string | undefined }) {
  const { t } = useTranslation();
  const providers = providersOf(config);
  const isIncomplete = providers.some(({ endpoint }) => endpoint === null);
  useQuery({
    ...configQuery,
    staleTime: isIncomplete ? 0 : configQuery.staleTime!,
    refetchInterval: isIncomplete && ASK_AGAIN_MS,
  });
  const [isPatient, setPatient] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (providers.length === 0) return null;
  return (
    <div className="form">
      <p className="doorway-lead">{t('signIn.or')}</p>
      {providers.map(({ which, name, clientId, endpoint }) => (
        <div key={which}>
          <Button
            wide
            icon={LogIn}
            isPending={endpoint === null && isPatient}
            isDisabled={endpoint === null && !isPatient}
            onPress={() => endpoint !== null && depart(which, { endpoint, clientId, next })}
          >
            {t('signIn.withProvider', { name })}
          </Button>
          {endpoint === null && !isPatient && <p className="doorway-lead">{t('signIn.providerDown', { name })}</p>}
        </div>
      ))}
    </div>
  );
}
