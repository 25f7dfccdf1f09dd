import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { useForm } from '../../api/editing/useForm.ts';
import { TextField } from '../../components/fields/TextField.tsx';
import { KeptDialog } from '../saving/KeptDialog.tsx';

type NewRecordProps<V extends { name: string }, R> = {
  title: string;
  form: ReturnType<typeof useForm<V, R>>;
  lead?: string;
  /** An example of a name, shown in the empty field. */
  placeholder: string;
  onClose: () => void;
  children?: ReactNode;
};

/** Dialog that asks for the name and the other initial values of a new record. */
export function NewRecord<V extends { name: string }, R>({
  title,
  form,
  lead,
  placeholder,
  onClose,
  children,
}: NewRecordProps<V, R>) {
  const { t } = useTranslation();
  return (
    <KeptDialog title={title} form={form} submit={t('common.create')} onClose={onClose}>
      {lead && <p>{lead}</p>}
      <TextField {...form.field('name', t('common.name'))} placeholder={placeholder} autoFocus maxLength={200} />
      {children}
    </KeptDialog>
  );
}
