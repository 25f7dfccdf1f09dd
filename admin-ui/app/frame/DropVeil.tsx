import { Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { capturedDrop, type Held } from '../../components/fields/capturedDrop.ts';
import { filesIn } from '../../components/fields/fileDrop.utils.ts';
import { type DropTarget, useLastDropTarget } from '../../components/hooks/dropTargets.ts';
import { useUploadInto } from '../../domain/content/useUploadInto.ts';
import './DropVeil.css';

const carriesFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/**
 * Accepts files and folders that are dropped anywhere in the browser window, and says where they go. Pages and dialogs
 * register with `useDropTarget`; otherwise files go into the library. `early`: files that were dropped before this code
 * was loaded.
 */
export function DropVeil({ early }: { early: Held | undefined }) {
  const { t } = useTranslation();
  const uploadInto = useUploadInto(undefined);
  const asked = useLastDropTarget();
  const target: DropTarget = asked ?? {
    title: t('uploads.drop'),
    lead: t('content.dropHelp'),
    onFiles: (files) => void uploadInto(files),
  };
  const [over, setOver] = useState(false);
  const take = useRef(target.onFiles);
  take.current = target.onFiles;
  const takeAll = useRef((held: Held) => {
    void filesIn(held).then((files) => files.length > 0 && take.current(files));
  });
  useEffect(() => {
    if (early) takeAll.current(early);
  }, [early]);
  useEffect(() => {
    const hold = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    // No related element means that the pointer left the window.
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      setOver(false);
      // Does nothing if a drop target inside the page has accepted the files already.
      if (!event.dataTransfer || !carriesFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      takeAll.current(capturedDrop(event.dataTransfer));
    };
    // Listens on the document, so that these listeners run before those of the shell on the browser window (Shell.tsx),
    // which prevent the browser from opening dropped files.
    document.addEventListener('dragover', hold);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', hold);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, []);
  if (!over) return null;
  return (
    <div className="file-drop-veil" role="status">
      <div>
        <Upload aria-hidden />
        <strong>{target.title}</strong>
        <p>{target.lead}</p>
      </div>
    </div>
  );
}
