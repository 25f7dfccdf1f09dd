import { ChevronDown, FolderUp, Link as LinkIcon, Upload } from 'lucide-react';
import { useRef } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { type DroppedFile, filesOfChoice } from '../../components/fields/fileDrop.utils.ts';
import { ACCEPT } from './accept.ts';

/** Button that uploads files. A menu behind its arrow offers the other ways to add content. */
export function AddContent({ onFiles, onAddress }: { onFiles: (files: DroppedFile[]) => void; onAddress: () => void }) {
  const { t } = useTranslation();
  const folder = useRef<HTMLInputElement>(null);
  return (
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
  );
}
