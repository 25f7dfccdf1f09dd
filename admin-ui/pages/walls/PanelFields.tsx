import { RotateCw, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Rect, Rotation } from '../../../shared/program/wall.ts';
import { Segments, Switch } from '../../components/choices/Choices.tsx';
import { Button, ButtonLink } from '../../components/controls/Button.tsx';
import { AmountField } from '../../components/fields/AmountField.tsx';
import { movedToCell, type PanelDraft, turned, type WallDraft, withoutPanel, withPanel } from './wall.utils.ts';

type PanelFieldsProps = {
  draft: WallDraft;
  panel: PanelDraft;
  rect: Rect;
  onChange: (edit: (draft: WallDraft) => WallDraft, kind?: string) => void;
  onRemoved: () => void;
  canEdit: boolean;
};

const ROTATIONS = ['0', '90', '180', '270'] as const;

/** Form with the exact position and all other settings of one panel. */
export function PanelFields({ draft, panel, rect, onChange, onRemoved, canEdit }: PanelFieldsProps) {
  const { t } = useTranslation();
  const id = panel.device_id;
  const number = (key: keyof Rect, min: number) => (
    <AmountField
      label={t(`wall.rect.${key}`)}
      value={Math.round(rect[key] * 10) / 10}
      min={min}
      max={100_000}
      digits={1}
      unit="mm"
      isDisabled={!canEdit}
      onChange={(value) =>
        onChange((d) => withPanel(d, id, { canvas: { ...rect, [key]: value } }), `number ${id} ${key}`)
      }
    />
  );
  return (
    <div className="form panel-fields">
      <div className="wall-fields">
        <AmountField
          label={t('wall.col')}
          value={panel.col + 1}
          min={1}
          max={draft.grid_cols}
          isDisabled={!canEdit}
          onChange={(col) => onChange((d) => movedToCell(d, id, col - 1, panel.row))}
        />
        <AmountField
          label={t('wall.row')}
          value={panel.row + 1}
          min={1}
          max={draft.grid_rows}
          isDisabled={!canEdit}
          onChange={(row) => onChange((d) => movedToCell(d, id, panel.col, row - 1))}
        />
      </div>
      <div className="field">
        <span className="field-label">{t('wall.rotation')}</span>
        <div className="rotation">
          {canEdit ? (
            <Segments
              label={t('wall.rotation')}
              value={String(panel.rotation) as (typeof ROTATIONS)[number]}
              onChange={(next) =>
                onChange((d) => {
                  let turning = panel;
                  while (String(turning.rotation) !== next) turning = turned(turning);
                  return withPanel(d, id, { rotation: Number(next) as Rotation, canvas: turning.canvas });
                })
              }
              options={ROTATIONS.map((value) => ({ value, label: `${value}°` }))}
            />
          ) : (
            <span>
              <RotateCw aria-hidden />
              {`${panel.rotation}°`}
            </span>
          )}
        </div>
        <span className="field-hint">{t('wall.rotationHint')}</span>
      </div>
      <Switch
        isSelected={panel.canvas !== null}
        onChange={(free) => onChange((d) => withPanel(d, id, { canvas: free ? rect : null }))}
        isDisabled={!canEdit}
        hint={t('wall.byHandHint')}
      >
        {t('wall.byHand')}
      </Switch>
      {panel.canvas !== null && (
        <div className="wall-fields">
          {number('x', -100_000)}
          {number('y', -100_000)}
          {number('width', 1)}
          {number('height', 1)}
        </div>
      )}
      <Switch
        isSelected={(draft.leader_device_id ?? draft.panels[0]?.device_id) === id}
        onChange={(on) => onChange((d) => ({ ...d, leader_device_id: on ? id : null }))}
        isDisabled={!canEdit || (draft.leader_device_id === null && draft.panels[0]?.device_id === id)}
        hint={t('wall.soundHint')}
      >
        {t('wall.sound')}
      </Switch>
      <div className="form-actions">
        <ButtonLink to="/screens/$screenId" params={{ screenId: id }} size="small">
          {t('wall.toScreen')}
        </ButtonLink>
        {canEdit && (
          <Button
            icon={Trash2}
            size="small"
            variant="danger-quiet"
            onPress={() => {
              onChange((d) => withoutPanel(d, id));
              onRemoved();
            }}
          >
            {t('wall.takeDown')}
          </Button>
        )}
      </div>
    </div>
  );
}
