import { useQuery } from '@tanstack/react-query';
import { Image, Upload, X } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import { contentQuery } from '../../api/files/content.ts';
import { uploads } from '../../api/files/useUploads.ts';
import { Button } from '../../components/controls/Button.tsx';
import { ContentPicker } from '../../domain/content/ContentPicker.tsx';
import { ContentThumb } from '../../domain/preview/ContentThumb.tsx';

type LogoFieldProps = {
  label: string;
  hint: string;
  contentId: string | null;
  onChange: (contentId: string | null) => void;
  /** Background on which the logo is shown, as on screens. */
  background: string;
};

/** A picture of the library as a logo: chosen, or uploaded here. */
export function LogoField({ label, hint, contentId, onChange, background }: LogoFieldProps) {
  const { t } = useTranslation();
  const [choosing, setChoosing] = useState(false);
  const [uploading, setUploading] = useState(false);
  const content = useQuery({ ...contentQuery(contentId ?? ''), enabled: contentId !== null }).data?.content;
  const upload = (file: File | undefined) => {
    if (!file) return;
    setUploading(true);
    uploads.add([file], {
      onEnd: (answer) => {
        setUploading(false);
        const added = answer as Content | undefined;
        if (added?.kind === 'image') onChange(added.id);
      },
    });
  };
  return (
    <fieldset className="field logo-field">
      <legend className="field-label">{label}</legend>
      {contentId !== null && (
        <div className="logo-shown" style={{ background }}>
          {content && <ContentThumb content={content} />}
        </div>
      )}
      <div className="logo-actions">
        <Button size="small" icon={Image} onPress={() => setChoosing(true)}>
          {t('brand.chooseLogo')}
        </Button>
        <FileTrigger acceptedFileTypes={['image/*']} onSelect={(files) => upload(files?.[0])}>
          <Button size="small" icon={Upload} isPending={uploading}>
            {t('brand.uploadLogo')}
          </Button>
        </FileTrigger>
        {contentId !== null && (
          <Button size="small" variant="quiet" icon={X} onPress={() => onChange(null)}>
            {t('brand.removeLogo')}
          </Button>
        )}
      </div>
      <span className="field-hint">{hint}</span>
      {choosing && (
        <ContentPicker
          title={t('brand.chooseLogo')}
          type="image"
          onClose={() => setChoosing(false)}
          onChoose={(chosen) => {
            setChoosing(false);
            onChange(chosen.id);
          }}
        />
      )}
    </fieldset>
  );
}
