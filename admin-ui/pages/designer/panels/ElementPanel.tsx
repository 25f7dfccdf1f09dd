import { Copy, Trash2 } from 'lucide-react';
import { type ComponentType, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Element, ElementType } from '../../../../shared/design/elements.ts';
import type { PageFormat } from '../../../../shared/design/page-formats.ts';
import { IconButton } from '../../../components/controls/Button.tsx';
import { elementName } from '../elementName.ts';
import type { DesignEdits } from '../useDesignEdits.ts';
import { AnimationFields } from './AnimationFields.tsx';
import { ArrangeButtons } from './ArrangeButtons.tsx';
import { ClockPanel } from './ClockPanel.tsx';
import { CountdownPanel } from './CountdownPanel.tsx';
import { LogoPanel } from './LogoPanel.tsx';
import { MediaPanel } from './MediaPanel.tsx';
import { MoreFields } from './MoreFields.tsx';
import { MoreSection } from './MoreSection.tsx';
import { PlaceFields } from './PlaceFields.tsx';
import { PricePanel } from './PricePanel.tsx';
import type { EditingPanelProps } from './panelProps.ts';
import { QrPanel } from './QrPanel.tsx';
import { ShapePanel } from './ShapePanel.tsx';
import { TablePanel } from './TablePanel.tsx';
import { TextPanel } from './TextPanel.tsx';

type ElementPanelProps = { element: Element; edits: DesignEdits; format: PageFormat; canEdit: boolean };

/** Loaded when it is needed, because the drawings of all icons come with it. */
const IconPanel = lazy(() => import('./IconPanel.tsx').then((module) => ({ default: module.IconPanel })));

const PANELS: { readonly [T in ElementType]?: ComponentType<EditingPanelProps<T>> } = {
  media: MediaPanel,
  shape: ShapePanel,
  icon: IconPanel,
  qr: QrPanel,
  countdown: CountdownPanel,
  clock: ClockPanel,
  price: PricePanel,
  logo: LogoPanel,
  text: TextPanel,
  table: TablePanel,
};

/** All properties of the selected element: its own first, then those of all elements in closed sections. */
export function ElementPanel({ element, edits, format, canEdit }: ElementPanelProps) {
  const { t } = useTranslation();
  const Panel = PANELS[element.type] as ComponentType<EditingPanelProps<ElementType>> | undefined;
  const change = (values: Partial<Element>, kind?: string) =>
    edits.onElement(element.id, (now) => ({ ...now, ...values }) as Element, kind);
  return (
    <section className="form element-panel" aria-label={elementName(element, t)}>
      <div className="element-head">
        <h2>{t(`designer.types.${element.type}`)}</h2>
        {canEdit && (
          <>
            <IconButton icon={Copy} size="small" label={t('designer.duplicate')} onPress={edits.duplicate} />
            <IconButton icon={Trash2} size="small" label={t('designer.remove')} onPress={edits.remove} />
          </>
        )}
      </div>
      {canEdit && <ArrangeButtons edits={edits} />}
      <Suspense>
        {Panel && <Panel element={element as never} change={change} canEdit={canEdit} edits={edits} />}
      </Suspense>
      <div className="more-sections">
        <MoreSection title={t('designer.place.title')}>
          <PlaceFields element={element} edits={edits} format={format} canEdit={canEdit} />
        </MoreSection>
        <MoreSection title={t('designer.animation.title')}>
          <AnimationFields element={element} change={change} canEdit={canEdit} />
        </MoreSection>
        <MoreSection title={t('designer.more.title')}>
          <MoreFields element={element} change={change} canEdit={canEdit} />
        </MoreSection>
      </div>
    </section>
  );
}
