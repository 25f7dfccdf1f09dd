import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createView, deleteView } from '../../../shared/contract/views.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { useProblem } from '../../data/useProblem.ts';
import { downloadScreens, viewsQuery } from '../../data/views.ts';
import './views.css';

type Query = Readonly<Record<string, string>>;
type ViewsProps = { query: Query; csv: Record<string, string | undefined>; onShow: (query: Query) => void };

/** Lists of screens that somebody has kept under a name, and the one that is seen, to keep or to take along. */
export function Views(props: ViewsProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={Bookmark} onPress={() => setOpen(true)}>
        {t('views.title')}
      </Button>
      {open && <ViewsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function ViewsDialog({ query, csv, onShow, onClose }: ViewsProps & { onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const onError = useProblem();
  const views = useQuery(viewsQuery).data ?? [];
  const [name, setName] = useState('');
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
          {views.map((view) => (
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
              <IconButton
                icon={Trash2}
                size="small"
                label={t('views.delete', { name: view.name })}
                onPress={() => forget.mutate(view.id)}
              />
            </li>
          ))}
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
