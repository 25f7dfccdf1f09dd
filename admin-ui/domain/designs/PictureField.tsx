import { Camera, Images, Upload, X } from 'lucide-react';
import { useId, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { ContentPicker } from '../content/ContentPicker.tsx';
import type { NewPictures } from './newPictures.ts';
import { useDesignMedia } from './useDesignMedia.ts';

type PictureFieldProps = {
  label: string;
  /** Id of a content, or of a new picture; null: none. */
  value: string | null;
  pictures: NewPictures;
  onChange: (value: string | null) => void;
};

/** Whether the device has a touch screen, and so most likely a camera that takes a picture for a page. */
const HAS_CAMERA = matchMedia('(pointer: coarse)').matches;

/** A picture from the library, from the disk, or from the camera of a phone. */
export function PictureField({ label, value, pictures, onChange }: PictureFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const [isChoosing, setChoosing] = useState(false);
  const isNew = value !== null && pictures.media(value) !== undefined;
  const stored = useDesignMedia(value === null || isNew ? [] : [value]);
  const shown = value === null ? undefined : (pictures.media(value) ?? stored(value));
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file) onChange(pictures.add(file));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row
    <div className="field picture-field" role="group" aria-labelledby={id}>
      <span className="field-label" id={id}>
        {label}
      </span>
      <div className="picture-choice">
        {shown && <img src={shown.url} alt="" />}
        <div className="picture-buttons">
          <Button size="small" icon={Images} onPress={() => setChoosing(true)}>
            {t('templates.picture.choose')}
          </Button>
          <FileTrigger acceptedFileTypes={['image/*']} onSelect={take}>
            <Button size="small" icon={Upload}>
              {t('templates.picture.upload')}
            </Button>
          </FileTrigger>
          {HAS_CAMERA && (
            <FileTrigger acceptedFileTypes={['image/*']} defaultCamera="environment" onSelect={take}>
              <Button size="small" icon={Camera}>
                {t('templates.picture.photo')}
              </Button>
            </FileTrigger>
          )}
          {value !== null && (
            <IconButton
              size="small"
              icon={X}
              label={t('templates.picture.remove', { name: label })}
              onPress={() => onChange(null)}
            />
          )}
        </div>
      </div>
      {isChoosing && (
        <ContentPicker
          title={label}
          type="image"
          onClose={() => setChoosing(false)}
          onChoose={(content) => {
            setChoosing(false);
            onChange(content.id);
          }}
        />
      )}
    </div>
  );
}
