import { Toasts } from '../../components/controls/Toasts.tsx';
import { useFocusKept } from '../../components/keyboard/useFocusKept.ts';
import '../../styles/print.css';
import { usePrint } from './usePrint.ts';

/** Renders the parts of the admin window that are needed only after the first page. */
export function Later() {
  useFocusKept();
  usePrint();
  return <Toasts />;
}
