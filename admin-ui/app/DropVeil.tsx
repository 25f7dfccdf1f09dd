import { Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DropTarget, useLastDropTarget } from '../components/dropTargets.ts';
import { filesIn } from '../components/fileDrop.utils.ts';
import { type Held, heldIn } from '../components/heldFiles.ts';
import { useUploadInto } from '../parts/useUploadInto.ts';
import './DropVeil.css';

const carriesFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/**
 * Takes files and folders wherever in the window they are dropped, and says where they go. Pages and dialogs that want
 * them have asked (`useDropTarget`); else they go into the library. `early`: what was dropped before this was there.
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
    // What is left has another element to go to, unless it is the window that is left.
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      setOver(false);
      // Something that it was dropped onto may have taken it for itself.
      if (!event.dataTransfer || !carriesFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      takeAll.current(heldIn(event.dataTransfer));
    };
    // Of the document, not the window: there the frame sees to it that the browser itself opens nothing (Shell.tsx).
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
