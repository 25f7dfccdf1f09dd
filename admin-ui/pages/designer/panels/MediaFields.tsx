import { useQuery } from '@tanstack/react-query';
import { Image, Upload } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import type { MediaRef } from '../../../../shared/design/fills.ts';
import { contentQuery } from '../../../api/files/content.ts';
import { Segments, Switch } from '../../../components/choices/Choices.tsx';
import { Button } from '../../../components/controls/Button.tsx';
import { ContentPicker } from '../../../domain/content/ContentPicker.tsx';
import { useMediaUpload } from '../useMediaUpload.ts';
import { ColorChoice } from './ColorChoice.tsx';
import { FocusPicker } from './FocusPicker.tsx';
import { RangeField } from './RangeField.tsx';
import './panels.css';

type MediaFieldsProps = {
  value: MediaRef;
  /** `kind`: consecutive changes of one kind are undone together. */
  onChange: (media: MediaRef, kind?: string) => void;
  isDisabled?: boolean;
};

const PICTURES = ['image', 'video'] as const;
const PERCENT = 100;
/** First strength of a colour over a picture, at which white text on a bright photo is readable. */
const FIRST_OPACITY = 0.5;

/** A picture or clip of the content: which one, and how it fills its frame. */
export function MediaFields({ value, onChange, isDisabled = false }: MediaFieldsProps) {
  const { t } = useTranslation();
  const set = (values: Partial<MediaRef>, kind?: string) => onChange({ ...value, ...values }, kind);
  return (
    <>
      <MediaChoice value={value} isDisabled={isDisabled} onChoose={(content_id) => set({ content_id })} />
      {value.content_id !== null && !isDisabled && (
        <>
          <Segments
            label={t('designer.media.fit')}
            value={value.fit}
            onChange={(fit) => set({ fit })}
            options={(['fill', 'fit'] as const).map((fit) => ({
              value: fit,
              label: t(`designer.media.fits.${fit}`),
            }))}
          />
          {value.fit === 'fill' && (
            <FocusPicker
              contentId={value.content_id}
              value={value.focus}
              onChange={(focus, kind) => set({ focus }, kind)}
            />
          )}
          <Switch isSelected={value.zoom} onChange={(zoom) => set({ zoom })}>
            {t('designer.media.zoom')}
          </Switch>
        </>
      )}
      {!isDisabled && (
        <Switch
          isSelected={value.overlay !== null}
          onChange={(isOn) =>
            set(isOn ? { overlay: 'ink', overlay_opacity: value.overlay_opacity || FIRST_OPACITY } : { overlay: null })
          }
        >
          {t('designer.media.overlay')}
        </Switch>
      )}
      {value.overlay !== null && (
        <>
          <ColorChoice
            label={t('designer.media.overlayColor')}
            value={value.overlay}
            isDisabled={isDisabled}
            onChange={(overlay) => set({ overlay }, 'overlay')}
          />
          <RangeField
            label={t('designer.media.overlayOpacity')}
            value={Math.round(value.overlay_opacity * PERCENT)}
            min={0}
            max={PERCENT}
            unit="%"
            isDisabled={isDisabled}
            onChange={(percent) => set({ overlay_opacity: percent / PERCENT }, 'overlay strength')}
          />
        </>
      )}
    </>
  );
}

type MediaChoiceProps = { value: MediaRef; isDisabled: boolean; onChoose: (contentId: string) => void };

/** The name of the chosen content, and buttons to choose another one or to upload one. */
function MediaChoice({ value, isDisabled, onChoose }: MediaChoiceProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const id = value.content_id;
  const record = useQuery({ ...contentQuery(id ?? ''), enabled: id !== null });
  const { upload, isUploading } = useMediaUpload();
  const send = (files: FileList | null) => {
    const file = files?.[0];
    if (file) upload([file], ({ id: contentId }) => onChoose(contentId));
  };
  return (
    <div className="media-choice">
      <p className={id === null || record.isError ? 'field-hint' : 'media-name'}>
        {id === null
          ? t('designer.media.none')
          : record.isError
            ? t('designer.media.gone')
            : record.data?.content.filename}
      </p>
      {!isDisabled && (
        <div className="button-row">
          <Button size="small" icon={Image} onPress={() => setOpen(true)}>
            {t(id === null ? 'designer.media.choose' : 'designer.media.change')}
          </Button>
          <FileTrigger acceptedFileTypes={['image/*', 'video/*']} onSelect={send}>
            <Button size="small" variant="quiet" icon={Upload} isPending={isUploading}>
              {t('designer.media.upload')}
            </Button>
          </FileTrigger>
        </div>
      )}
      {isOpen && (
        <ContentPicker
          title={t('designer.media.title')}
          types={PICTURES}
          onClose={() => setOpen(false)}
          onChoose={(content) => {
            setOpen(false);
            onChoose(content.id);
          }}
        />
      )}
    </div>
  );
}
