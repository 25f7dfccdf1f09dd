import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { type SignedIn, signInWithProviderA, signInWithProviderB } from '../../../shared/contract/people/auth.ts';
import { client } from '../../api/requests/client.ts';
import { describeProblem } from '../../api/requests/useProblem.ts';
import { isProviderAnswerHeld, type ProviderAnswer, readProviderAnswer } from '../../api/session/providerAnswer.ts';
import { judge, type Verdict } from './provider.utils.ts';
import { readDeparture } from './providerDeparture.ts';

class Refused extends Error {
  readonly why: Exclude<Verdict['is'], 'token'>;
  constructor(why: Exclude<Verdict['is'], 'token'>) {
    super(why);
    this.why = why;
  }
}

const TEXTS = {
  unexpected: 'signIn.providerUnexpected',
  denied: 'signIn.providerDenied',
  failed: 'signIn.providerFailed',
} as const;

/** Signs in a user who returns from a sign-in provider, or shows why this fails. */
export const useProviderReturn = (onSignedIn: (signedIn: SignedIn, next: string | undefined) => void) => {
  const { t } = useTranslation();
  const [isWaiting, setIsWaiting] = useState(isProviderAnswerHeld);
  const [next, setNext] = useState<string>();
  const enter = useMutation({
    // The mutation reads the answer itself, since React Query would keep an answer that is passed as a variable.
    mutationFn: async (take: () => ProviderAnswer | undefined) => {
      const answer = take();
      const departure = readDeparture();
      setNext(departure?.next);
      const verdict = answer ? judge(answer, departure) : ({ is: 'unexpected' } as const);
      if (verdict.is !== 'token') throw new Refused(verdict.is);
      const signedIn = await (verdict.which === 'a'
        ? client.call(signInWithProviderA, { body: { credential: verdict.token } })
        : client.call(signInWithProviderB, { body: { access_token: verdict.token } }));
      onSignedIn(signedIn, departure?.next);
    },
    gcTime: 0,
    onSettled: () => setIsWaiting(false),
  });
  const begun = useRef(false);
  const { mutate } = enter;
  useEffect(() => {
    if (begun.current || !isProviderAnswerHeld()) return;
    begun.current = true;
    mutate(readProviderAnswer);
  }, [mutate]);

  const words = (error: Error): string => {
    if (error instanceof Refused) return t(TEXTS[error.why]);
    if (error instanceof ApiError && error.code === 'identity_bound') return t('signIn.providerBound');
    if (error instanceof ApiError && error.code === 'address_unverified') return t('signIn.providerUnverified');
    if (error instanceof ApiError && error.status === 401) return t('signIn.providerRefused');
    if (error instanceof ApiError && error.status === 403) return t('register.closed');
    if (error instanceof ApiError && error.status === 409) return t('signIn.providerHasPassword');
    return describeProblem(error, t).text;
  };
  return { isBusy: isWaiting, problem: enter.error ? words(enter.error) : undefined, next };
};
