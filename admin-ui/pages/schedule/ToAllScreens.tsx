import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';

/** Leads to all screens when the screen or group in the address no longer exists. */
export function ToAllScreens() {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/schedule' });
  return (
    <Button onPress={() => void navigate({ search: ({ for: _, ...now }) => now, replace: true })}>
      {t('find.allScreens')}
    </Button>
  );
}
