import { useTranslation } from 'react-i18next';
import type { Store } from '../../../shared/contract/headquarters/stores.ts';
import { Badge } from '../../components/frame/Page.tsx';
import { toneOfLine } from './stores.utils.ts';

export function LineBadge({ line }: Pick<Store, 'line'>) {
  const { t } = useTranslation();
  return (
    <Badge tone={toneOfLine[line]} dot>
      {t(`stores.lines.${line}`)}
    </Badge>
  );
}
