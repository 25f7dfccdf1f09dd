import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastBody,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { useTranslation } from 'react-i18next';
import './Toasts.css';
import { toastQueue } from './toasts.ts';

const icons = { done: CircleCheck, problem: CircleAlert, note: Info } as const;

export function Toasts() {
  const { t } = useTranslation();
  return (
    <ToastRegion queue={toastQueue} className="toasts" aria-label={t('common.messages')}>
      {({ toast }) => {
        const { tone, text, detail, action } = toast.content;
        const Icon = icons[tone];
        return (
          <Toast toast={toast} className="toast">
            <Icon aria-hidden className={tone} />
            <ToastBody className="toast-text">
              <Text slot="title" elementType="div">
                {text}
              </Text>
              {detail && (
                <Text slot="description" elementType="div">
                  {detail}
                </Text>
              )}
            </ToastBody>
            {action && (
              <Button
                slot={null}
                onPress={() => {
                  action.run();
                  toastQueue.close(toast.key);
                }}
              >
                {action.label}
              </Button>
            )}
            <Button slot="close" aria-label={t('common.close')}>
              <X aria-hidden />
            </Button>
          </Toast>
        );
      }}
    </ToastRegion>
  );
}
