import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import './FileDrop.css';
import { type DroppedFile, filesOf } from './fileDrop.utils.ts';

type FileDropProps = {
  title: string;
  lead: string;
  onFiles: (files: DroppedFile[]) => void;
  isDisabled?: boolean;
  children: ReactNode;
};

/**
 * The whole of what it holds takes files and folders that are dragged onto it. The way by keyboard is the upload
 * button.
 */
export function FileDrop({ title, lead, onFiles, isDisabled = false, children }: FileDropProps) {
  // Counts how deep the pointer is, since children send enter and leave events of their own.
  const [depth, setDepth] = useState(0);
  const carriesFiles = (event: DragEvent) => !isDisabled && event.dataTransfer.types.includes('Files');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging files is the pointer's way; the button beside is everybody's
    <div
      className="file-drop"
      onDragEnter={(event) => carriesFiles(event) && setDepth((d) => d + 1)}
      onDragLeave={(event) => carriesFiles(event) && setDepth((d) => Math.max(0, d - 1))}
      onDragOver={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        // Something that it holds took it for itself.
        const taken = event.isDefaultPrevented();
        event.preventDefault();
        setDepth(0);
        if (taken) return;
        void filesOf(event.dataTransfer).then((files) => files.length > 0 && onFiles(files));
      }}
    >
      {children}
      {depth > 0 && (
        <div className="file-drop-veil">
          <div>
            <Upload aria-hidden />
            <strong>{title}</strong>
            <p>{lead}</p>
          </div>
        </div>
      )}
    </div>
  );
}
