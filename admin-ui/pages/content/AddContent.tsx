import { useNavigate } from '@tanstack/react-router';
import { Camera, ChevronDown, FolderUp, LayoutTemplate, Link as LinkIcon, Upload } from 'lucide-react';
import { useRef } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';
import { Button, ButtonLink, IconButton } from '../../components/controls/Button.tsx';
import { type DroppedFile, filesOfChoice } from '../../components/fields/fileDrop.utils.ts';
import { usePhone } from '../../components/hooks/useMedia.ts';
import { photo } from '../../domain/designs/newPictures.ts';
import { ACCEPT } from './accept.ts';

type AddContentProps = {
  /** Folder for a new design; undefined: the server chooses. */
  folderId: string | undefined;
  onFiles: (files: DroppedFile[]) => void;
  onAddress: () => void;
};

/**
 * Buttons that start a design and upload files. A menu behind the arrow offers the other ways to add content. On a
 * phone, a photo becomes an offer.
 */
export function AddContent({ folderId, onFiles, onAddress }: AddContentProps) {
  const { t } = useTranslation();
  const folder = useRef<HTMLInputElement>(null);
  const isPhone = usePhone();
  return (
    <>
      {isPhone ? <PhotoOffer folderId={folderId} /> : <NewDesign folderId={folderId} />}
      <span className="add-buttons">
        <FileTrigger
          allowsMultiple
          acceptedFileTypes={ACCEPT}
          onSelect={(files) => files && onFiles(filesOfChoice(files))}
        >
          <Button icon={Upload} variant="primary">
            {t('content.uploadFiles')}
          </Button>
        </FileTrigger>
        <Menu
          label={t('content.addOther')}
          trigger={<IconButton icon={ChevronDown} variant="primary" label={t('content.addOther')} />}
        >
          {isPhone ? (
            <MenuItem
              icon={LayoutTemplate}
              hint={t('templates.newHint')}
              href={`#/content/new-design${folderId === undefined ? '' : `?folder=${folderId}`}`}
            >
              {t('templates.new')}
            </MenuItem>
          ) : null}
          <MenuItem icon={FolderUp} hint={t('content.uploadFolderHint')} onAction={() => folder.current?.click()}>
            {t('content.uploadFolder')}
          </MenuItem>
          <MenuItem icon={LinkIcon} hint={t('content.addAddressHint')} onAction={onAddress}>
            {t('content.addAddress')}
          </MenuItem>
        </Menu>
        <input
          ref={(element) => {
            folder.current = element;
            // Sets the attribute on the element, since React's types do not know it.
            element?.setAttribute('webkitdirectory', '');
          }}
          type="file"
          multiple
          hidden
          aria-hidden
          tabIndex={-1}
          onChange={(event) => {
            if (event.target.files) onFiles(filesOfChoice(event.target.files));
            event.target.value = '';
          }}
        />
      </span>
    </>
  );
}

function NewDesign({ folderId }: Pick<AddContentProps, 'folderId'>) {
  const { t } = useTranslation();
  return (
    <ButtonLink
      to="/content/new-design"
      search={folderId === undefined ? {} : { folder: folderId }}
      icon={LayoutTemplate}
    >
      {t('templates.new')}
    </ButtonLink>
  );
}

/** Takes a photo with the camera of the phone and opens the form of an offer with it. */
function PhotoOffer({ folderId }: Pick<AddContentProps, 'folderId'>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <FileTrigger
      acceptedFileTypes={['image/*']}
      defaultCamera="environment"
      onSelect={(files) => {
        const file = files?.[0];
        if (!file) return;
        photo.handOver(file);
        void navigate({
          to: '/content/new-design',
          search: { task: 'offer', style: 'photo', ...(folderId !== undefined && { folder: folderId }) },
        });
      }}
    >
      <Button icon={Camera}>{t('templates.photoOffer')}</Button>
    </FileTrigger>
  );
}
