import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastBody,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { useTranslation } from 'react-i18next';
import './Toasts.css';
import { showToastsWith, type ToastContent } from './toasts.ts';

const icons = { done: CircleCheck, problem: CircleAlert, note: Info } as const;

const queue = new ToastQueue<ToastContent>({ maxVisibleToasts: 4 });
const saysTheSame = (a: ToastContent, b: ToastContent): boolean =>
  a.text === b.text && a.detail === b.detail && !a.action && !b.action;

showToastsWith((content, { timeout, onClose }) => {
  // While a message is visible, the same message is not shown a second time.
  const same = queue.visibleToasts.find((one) => saysTheSame(one.content, content));
  if (same) return () => queue.close(same.key);
  const key = queue.add(content, { timeout, ...(onClose && { onClose }) });
  return () => queue.close(key);
});

// Toasts do not expire while the window is hidden, since nobody can read them.
document.addEventListener('visibilitychange', () => (document.hidden ? queue.pauseAll() : queue.resumeAll()));

/** Region of the toasts. F6 moves the focus to it, and Tab reaches it at the end of the page. */
export function Toasts() {
  const { t } = useTranslation();
  const region = useRef<HTMLDivElement>(null);
  return (
    <ToastRegion queue={queue} ref={region} className="toasts" aria-label={t('common.messages')}>
      {({ toast }) => {
        const { tone, text, detail, action } = toast.content;
        const Icon = icons[tone];
        return (
          <Toast toast={toast} className="toast">
            <Room region={region} />
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
                  queue.close(toast.key);
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

const { style } = document.documentElement;
const meets = (a: DOMRect, b: DOMRect): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Number of mounted toasts. The reserved height is removed with the last toast. */
let rooms = 0;

/**
 * Keeps toasts off the focused element: they are at the bottom of the window, or at the top if they would cover the
 * focus. Writes the height of the toasts to `--toast-room`, from which dialogs compute their free area.
 */
function Room({ region }: { region: { readonly current: HTMLDivElement | null } }) {
  useLayoutEffect(() => {
    const box = region.current;
    if (!box) return;
    const place = () => {
      style.setProperty('--toast-room', `${box.offsetHeight + 12}px`);
      const focused = document.activeElement;
      if (!focused || focused === document.body || box.contains(focused)) return;
      delete box.dataset['atTop'];
      if (meets(box.getBoundingClientRect(), focused.getBoundingClientRect()) && focused.id !== 'pane')
        box.dataset['atTop'] = '';
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(box);
    document.addEventListener('focusin', place);
    rooms++;
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', place);
      if (--rooms === 0) style.removeProperty('--toast-room');
    };
  }, [region]);
  return null;
}
