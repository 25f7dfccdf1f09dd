import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content.ts';
import { Button } from '../../components/Button.tsx';
import { FormDialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { labelsQuery } from '../../data/content.ts';
import type { ContentEdits } from './useContentEdits.ts';

type Props = { contents: readonly Content[]; edits: ContentEdits; onClose: () => void; onDone: () => void };

/** One free word for many; nothing takes the label away. */
export function LabelContent({ contents, edits, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const labels = useQuery(labelsQuery).data ?? [];
  const [first] = contents;
  const [label, setLabel] = useState(contents.every((c) => c.folder === first?.folder) ? (first?.folder ?? '') : '');
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    await edits.label(contents, label.trim());
    onDone();
  };
  return (
    <FormDialog
      title={t('content.labelMany', { count: contents.length, name: first?.filename ?? '' })}
      onClose={onClose}
      onSubmit={() => void save()}
      submit={label.trim() ? t('content.labelSet') : t('content.labelClear')}
      isPending={busy}
      isDisabled={contents.every((c) => c.folder === label.trim())}
    >
      <TextField
        label={t('content.label')}
        hint={t('content.labelHint')}
        value={label}
        onChange={setLabel}
        autoFocus
        maxLength={200}
      />
      {labels.length > 0 && (
        <ul className="label-choices" aria-label={t('content.labels')}>
          {labels.slice(0, 30).map(({ folder }) => (
            <li key={folder}>
              <Button size="small" onPress={() => setLabel(folder)}>
                {folder}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  );
}
