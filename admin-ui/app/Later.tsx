import { Toasts } from '../components/Toasts.tsx';
import { useFocusKept } from '../components/useFocusKept.ts';
import '../styles/print.css';
import { usePrint } from './usePrint.ts';

/** What a window has need of once somebody has looked around in it: the first load leaves it out. */
export function Later() {
  useFocusKept();
  usePrint();
  return <Toasts />;
}
