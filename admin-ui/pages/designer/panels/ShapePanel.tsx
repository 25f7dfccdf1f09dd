import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { useTranslation } from 'react-i18next';
import { SHAPES } from '../../../../shared/design/draw/shapes.ts';
import type { Element } from '../../../../shared/design/elements.ts';
import { ColorChoice } from './ColorChoice.tsx';
import { FillField } from './FillField.tsx';
import { FILL_KINDS, type FillKind, fillAs } from './fill.utils.ts';
import { MoreSection } from './MoreSection.tsx';
import type { PanelProps } from './panelProps.ts';
import { RadiusField } from './RadiusField.tsx';
import { RangeField } from './RangeField.tsx';

type ShapeElement = Extract<Element, { type: 'shape' }>;
type Shape = ShapeElement['shape'];
const SHAPE_KINDS: readonly Shape[] = ['rectangle', 'ellipse', 'line', 'arrow', 'burst', 'ribbon', 'wave'];

/** Shapes that can have any fill and an outline. Drawn shapes have one colour, lines have none. */
const isBox = (shape: Shape): boolean => shape === 'rectangle' || shape === 'ellipse';
const DRAWN_KINDS: readonly FillKind[] = ['color'];
const MAX_STROKE = 60;
/** Width of a line whose shape had no outline. */
const FIRST_LINE = 8;

/** Returns the values that change with the shape, so that the new shape is visible. */
const shapedAs = (element: ShapeElement, shape: Shape): Partial<ShapeElement> => ({
  shape,
  ...(shape === 'line' && element.stroke === 0 && { stroke: FIRST_LINE }),
  ...(!isBox(shape) && shape !== 'line' && { fill: fillAs(element.fill, 'color') }),
});

/** Kind of a shape, its fill, outline and corners. */
export function ShapePanel({ element, change, canEdit }: PanelProps<'shape'>) {
  const { t } = useTranslation();
  const isDisabled = !canEdit;
  const { shape } = element;
  const outline = (
    <>
      <RangeField
        label={t(shape === 'line' ? 'designer.shape.lineWidth' : 'designer.shape.outline')}
        value={element.stroke}
        min={shape === 'line' ? 1 : 0}
        max={MAX_STROKE}
        isDisabled={isDisabled}
        onChange={(stroke) => change({ stroke }, 'stroke')}
      />
      {element.stroke > 0 && (
        <ColorChoice
          label={t(shape === 'line' ? 'designer.shape.lineColor' : 'designer.shape.outlineColor')}
          value={element.stroke_color}
          isDisabled={isDisabled}
          onChange={(stroke_color) => change({ stroke_color }, 'stroke_color')}
        />
      )}
    </>
  );
  return (
    <>
      <ToggleButtonGroup
        className="sample-choice shape-choice"
        aria-label={t('designer.shape.kind')}
        selectionMode="single"
        disallowEmptySelection
        isDisabled={isDisabled}
        selectedKeys={[shape]}
        onSelectionChange={([kind]) => kind !== undefined && change(shapedAs(element, kind as Shape))}
      >
        {SHAPE_KINDS.map((kind) => (
          <ToggleButton key={kind} id={kind} aria-label={t(`designer.shape.kinds.${kind}`)}>
            <ShapePicture shape={kind} />
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {shape !== 'line' && (
        <FillField
          label={t('designer.shape.fill')}
          value={element.fill}
          kinds={isBox(shape) ? FILL_KINDS : DRAWN_KINDS}
          isDisabled={isDisabled}
          onChange={(fill, kind) => change({ fill }, kind)}
        />
      )}
      {shape === 'line' && outline}
      {isBox(shape) && (
        <MoreSection title={t('designer.shape.edge')}>
          {outline}
          {shape === 'rectangle' && (
            <RadiusField
              value={element.radius}
              isDisabled={isDisabled}
              onChange={(radius) => change({ radius }, 'radius')}
            />
          )}
        </MoreSection>
      )}
    </>
  );
}

function ShapePicture({ shape }: { shape: Shape }) {
  const drawn = shape === 'rectangle' || shape === 'ellipse' || shape === 'line' ? undefined : SHAPES[shape];
  return (
    <svg viewBox="-12 -12 124 124" fill="currentColor" aria-hidden>
      {shape === 'rectangle' && <rect x="0" y="18" width="100" height="64" rx="6" />}
      {shape === 'ellipse' && <ellipse cx="50" cy="50" rx="50" ry="38" />}
      {shape === 'line' && <rect x="0" y="46" width="100" height="8" />}
      {drawn?.[0] === 'polygon' && <polygon points={drawn[1].points} />}
      {drawn?.[0] === 'path' && <path d={drawn[1].d} />}
    </svg>
  );
}
