import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Content, type ContentChange, updateContent } from '../../../shared/contract/content.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { Button } from '../../components/Button.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { contentQuery } from '../../data/content.ts';
import { useEdit } from '../../data/useEdit.ts';
import { flatten } from './folders.utils.ts';
import { useFolders } from './useFolders.ts';

type Draft = Pick<Content, 'filename' | 'folder' | 'folder_id' | 'remote_url'>;
const ROOT = '';

/** What people say about a content: its name, where it lies, what it belongs to, where it comes from. */
export function ContentForm({ content, etag }: { content: Content; etag: string | undefined }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { tree } = useFolders();
  const [changes, setChanges] = useState<Partial<Draft>>({});
  const [problem, setProblem] = useState<string>();
  const draft: Draft = { filename: content.filename, folder: content.folder, folder_id: content.folder_id, remote_url: content.remote_url, ...changes };
  const changed = (Object.keys(changes) as (keyof Draft)[]).filter((key) => changes[key] !== content[key]);
  const dirty = changed.length > 0 && draft.filename.trim() !== '';
  const change = (part: Partial<Draft>) => {
    setChanges((now) => ({ ...now, ...part }));
    setProblem(undefined);
  };
  const save = useEdit<void, Content>({
    topics: ['content'],
    run: () => client.call(updateContent, { params: { id: content.id }, body: Object.fromEntries(changed.map((key) => [key, draft[key]])) as ContentChange, ifMatch: etag }),
    done: () => {
      setChanges({});
      toast({ tone: 'done', text: t('content.saved') });
    },
    failed: (error) => {
      if (!(error instanceof ApiError)) return false;
      if (error.status === 400 && error.message.startsWith('remote_url')) {
        setProblem(error.message.replace(/^remote_url: /, ''));
        return true;
      }
      if (error.status !== 412) return false;
      void queries.invalidateQueries({ queryKey: contentQuery(content.id).queryKey });
      return false;
    },
  });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (dirty) save.mutate();
      }}
    >
      <TextField label={t('content.name')} value={draft.filename} onChange={(filename) => change({ filename })} maxLength={200} />
      {content.remote_url !== null && (
        <TextField
          label={t('content.address')}
          value={draft.remote_url ?? ''}
          onChange={(remote_url) => change({ remote_url })}
          maxLength={2000}
          spellCheck="false"
          error={problem}
        />
      )}
      <Select
        label={t('content.folder')}
        value={draft.folder_id ?? ROOT}
        onChange={(id) => change({ folder_id: id || null })}
        options={[
          { value: ROOT, label: t('content.noFolder') },
          ...flatten(tree).map(({ folder, depth }) => ({ value: folder.id, label: `${'   '.repeat(depth)}${folder.name}` })),
        ]}
      />
      <TextField label={t('content.label')} hint={t('content.labelHint')} value={draft.folder} onChange={(folder) => change({ folder })} maxLength={200} />
      {changed.length > 0 && (
        <div className="form-actions">
          <Button type="submit" size="small" variant="primary" isDisabled={!dirty} isPending={save.isPending}>
            {t('common.save')}
          </Button>
          <Button size="small" variant="quiet" onPress={() => setChanges({})}>
            {t('common.discard')}
          </Button>
        </div>
      )}
    </form>
  );
}
