import { Toasts } from '../components/Toasts.tsx';
import { useFocusKept } from '../components/useFocusKept.ts';
import '../styles/print.css';
import { usePrint } from './usePrint.ts';

/** Parts that a window needs only after its first page, so the first load leaves them out. */
export function Later() {
  useFocusKept();
  usePrint();
  return <Toasts />;
}
