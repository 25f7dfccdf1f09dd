import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createView, deleteView, updateView, type View } from '../../../../shared/contract/screens/views.ts';
import { client } from '../../../api/requests/client.ts';
import { useProblem } from '../../../api/requests/useProblem.ts';
import { downloadScreens, viewsQuery } from '../../../api/views.ts';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/controls/Dialog.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import './views.css';

type Query = Readonly<Record<string, string>>;
type ViewsProps = {
  /** The present filter in the form of the page's address. */
  query: Query;
  /** The present filter in the form that the server expects. */
  csv: Record<string, string | undefined>;
  onShow: (query: Query) => void;
  onClose: () => void;
};

/** Dialog with the saved filters of the screens page. The present filter can be saved or exported. */
export function Views({ query, csv, onShow, onClose }: ViewsProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const onError = useProblem();
  const views = useQuery(viewsQuery).data ?? [];
  const [name, setName] = useState('');
  const [renaming, setRenaming] = useState<View>();
  const refresh = () => queries.invalidateQueries({ queryKey: viewsQuery.queryKey });
  const keep = useMutation({
    mutationFn: () => client.call(createView, { body: { name: name.trim(), query } }),
    onSuccess: () => {
      setName('');
      return refresh();
    },
    onError,
  });
  const forget = useMutation({
    mutationFn: (id: string) => client.call(deleteView, { params: { id } }),
    onSuccess: refresh,
    onError,
  });
  const rename = useMutation({
    mutationFn: ({ id, name }: Pick<View, 'id' | 'name'>) =>
      client.call(updateView, { params: { id }, body: { name } }),
    onSuccess: () => {
      setRenaming(undefined);
      return refresh();
    },
    onError,
  });
  const save = useMutation({ mutationFn: () => downloadScreens(csv), onError });
  return (
    <Dialog
      title={t('views.title')}
      onClose={onClose}
      actions={
        <>
          <Button icon={Download} isPending={save.isPending} onPress={() => save.mutate()}>
            {t('views.csv')}
          </Button>
          <Button onPress={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      {views.length === 0 && <p>{t('views.none')}</p>}
      {views.length > 0 && (
        <ul className="views">
          {views.map((view) =>
            view.id === renaming?.id ? (
              <li key={view.id}>
                <form
                  className="views-new"
                  onSubmit={(event) => {
                    event.preventDefault();
                    if (renaming.name.trim()) rename.mutate({ id: view.id, name: renaming.name.trim() });
                  }}
                >
                  <TextField
                    label={t('views.newName')}
                    value={renaming.name}
                    onChange={(text) => setRenaming({ ...renaming, name: text })}
                    maxLength={80}
                    autoFocus
                  />
                  <Button type="submit" isPending={rename.isPending} isDisabled={!renaming.name.trim()}>
                    {t('common.save')}
                  </Button>
                </form>
              </li>
            ) : (
              <li key={view.id}>
                <Button
                  variant="quiet"
                  onPress={() => {
                    onShow(view.query);
                    onClose();
                  }}
                >
                  {view.name}
                </Button>
                <span>
                  <IconButton
                    icon={Pencil}
                    size="small"
                    label={t('views.rename', { name: view.name })}
                    onPress={() => setRenaming(view)}
                  />
                  <IconButton
                    icon={Trash2}
                    size="small"
                    label={t('views.delete', { name: view.name })}
                    onPress={() => forget.mutate(view.id)}
                  />
                </span>
              </li>
            ),
          )}
        </ul>
      )}
      <form
        className="views-new"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) keep.mutate();
        }}
      >
        <TextField label={t('views.name')} value={name} onChange={setName} maxLength={80} />
        <Button type="submit" isPending={keep.isPending} isDisabled={!name.trim()}>
          {t('views.keep')}
        </Button>
      </form>
    </Dialog>
  );
}
