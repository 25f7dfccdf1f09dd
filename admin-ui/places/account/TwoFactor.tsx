import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Badge, Bone, Notice } from '../../components/Page.tsx';
import { twoFactorQuery } from '../../data/twoFactor.ts';
import { ConfirmWithCode } from './ConfirmWithCode.tsx';
import { TurnOnTwoFactor } from './TurnOnTwoFactor.tsx';

/** With fewer it is time for new ones: a lost phone must not mean a lost account. */
const FEW = 3;

export function TwoFactor() {
  const { t } = useTranslation();
  const query = useQuery(twoFactorQuery);
  const [doing, setDoing] = useState<'on' | 'off' | 'renew'>();
  const close = () => setDoing(undefined);
  if (!query.data) return <Bone height="3rem" />;
  const { enabled, recovery_codes_remaining: left } = query.data;
  return (
    <>
      {!enabled && (
        <div className="form-actions">
          <Button icon={ShieldCheck} onPress={() => setDoing('on')}>
            {t('account.twoFactorOn')}
          </Button>
        </div>
      )}
      {enabled && (
        <>
          <p className="two-factor-state">
            <Badge tone="good" dot>
              {t('account.twoFactorIsOn')}
            </Badge>
            <span>{t('account.codesLeft', { count: left })}</span>
          </p>
          {left <= FEW && <Notice tone="warn" title={t('account.fewCodes')} />}
          <div className="form-actions">
            <Button onPress={() => setDoing('renew')}>{t('account.newCodes')}</Button>
            <Button variant="danger-quiet" onPress={() => setDoing('off')}>
              {t('account.twoFactorOff')}
            </Button>
          </div>
        </>
      )}
      {doing === 'on' && <TurnOnTwoFactor onClose={close} />}
      {(doing === 'off' || doing === 'renew') && <ConfirmWithCode what={doing} onClose={close} />}
    </>
  );
}
