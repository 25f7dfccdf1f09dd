import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { colorIn, paletteOf } from '../../../../shared/design/brand.ts';
import { contrastOf, luminanceOf } from '../../../../shared/design/contrast.ts';
import { useBrand } from '../../../api/brand.ts';
import { Checkbox, Segments } from '../../../components/choices/Choices.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { ColorChoice } from './ColorChoice.tsx';
import { MoreSection } from './MoreSection.tsx';
import type { PanelProps } from './panelProps.ts';
import { type Wifi, wifiOf, wifiText } from './wifi.utils.ts';

const MAX_TEXT = 1000;
const MAX_NAME = 32;
const MAX_PASSWORD = 63;
const NO_WIFI: Wifi = { name: '', password: '', isHidden: false };
/** Smallest contrast at which phones read a code reliably from some distance. */
const READABLE = 4;

/** What a QR code says: an address, a text or the access to a Wi-Fi network; and its colours. */
export function QrPanel({ element, change, canEdit }: PanelProps<'qr'>) {
  const { t } = useTranslation();
  const isDisabled = !canEdit;
  const [kind, setKind] = useState<'text' | 'wifi'>(wifiOf(element.value) ? 'wifi' : 'text');
  return (
    <>
      {canEdit && (
        <Segments
          label={t('designer.qr.kind')}
          value={kind}
          onChange={setKind}
          options={(['text', 'wifi'] as const).map((value) => ({ value, label: t(`designer.qr.kinds.${value}`) }))}
        />
      )}
      {kind === 'text' ? (
        <TextField
          label={t('designer.qr.text')}
          hint={t('designer.qr.textHint')}
          value={wifiOf(element.value) ? '' : element.value}
          isDisabled={isDisabled}
          maxLength={MAX_TEXT}
          onChange={(value) => change({ value }, 'value')}
        />
      ) : (
        <WifiFields
          value={wifiOf(element.value) ?? NO_WIFI}
          isDisabled={isDisabled}
          onChange={(wifi) => change({ value: wifiText(wifi) }, 'value')}
        />
      )}
      <QrColors element={element} change={change} canEdit={canEdit} />
    </>
  );
}

type WifiFieldsProps = { value: Wifi; isDisabled: boolean; onChange: (wifi: Wifi) => void };

function WifiFields({ value, isDisabled, onChange }: WifiFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        label={t('designer.qr.network')}
        value={value.name}
        isDisabled={isDisabled}
        maxLength={MAX_NAME}
        onChange={(name) => onChange({ ...value, name })}
      />
      <TextField
        label={t('designer.qr.password')}
        hint={t('designer.qr.passwordHint')}
        value={value.password}
        isDisabled={isDisabled}
        maxLength={MAX_PASSWORD}
        spellCheck="false"
        onChange={(password) => onChange({ ...value, password })}
      />
      <Checkbox
        isSelected={value.isHidden}
        isDisabled={isDisabled}
        onChange={(isHidden) => onChange({ ...value, isHidden })}
      >
        {t('designer.qr.hidden')}
      </Checkbox>
    </>
  );
}

function QrColors({ element, change, canEdit }: Omit<PanelProps<'qr'>, 'edits'>) {
  const { t } = useTranslation();
  const palette = paletteOf(useBrand());
  const [color, ground] = [element.color, element.background].map((one) => colorIn(palette, one)) as [string, string];
  const warning =
    contrastOf(color, ground) < READABLE
      ? t('designer.qr.weak')
      : luminanceOf(color) > luminanceOf(ground)
        ? t('designer.qr.inverted')
        : undefined;
  return (
    <>
      {warning && (
        <p className="panel-warning" role="status">
          {warning}
        </p>
      )}
      <MoreSection title={t('designer.qr.colors')}>
        <ColorChoice
          label={t('designer.qr.color')}
          value={element.color}
          isDisabled={!canEdit}
          onChange={(next) => change({ color: next }, 'color')}
        />
        <ColorChoice
          label={t('designer.qr.background')}
          value={element.background}
          isDisabled={!canEdit}
          onChange={(background) => change({ background }, 'background')}
        />
      </MoreSection>
    </>
  );
}
