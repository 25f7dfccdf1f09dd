import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Member, MemberChange, updateMember } from '../../../shared/contract/people/workspaces.ts';
import { useForm } from '../../api/editing/useForm.ts';
import { foldersQuery } from '../../api/files/content.ts';
import { groupsQuery } from '../../api/groups.ts';
import { client } from '../../api/requests/client.ts';
import { useMe } from '../../api/session/me.ts';
import { Checkbox } from '../../components/choices/Choices.tsx';
import { RadioCards } from '../../components/choices/RadioCards.tsx';
import { SearchField } from '../../components/fields/SearchField.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { KeptDialog } from '../../domain/saving/KeptDialog.tsx';
import { pathsOf, type Row } from './people.utils.ts';
import { RegionRights } from './RegionRights.tsx';

type EditorValues = Pick<Member, 'duty' | 'folder_ids' | 'group_ids' | 'approves'>;
type Props = { member: Member; workspaceId: string; onClose: () => void };

/**
 * Dialog that limits the rights of an editor: only uploads, only some folders or groups; and whether the editor
 * approves requests. At headquarters, it also limits the visible stores, for editors and viewers.
 */
export function RightsDialog({ member, workspaceId, onClose }: Props) {
  const { t } = useTranslation();
  const { duty, folder_ids, group_ids, approves, regions } = member;
  const { headquarters } = useMe();
  const form = useForm({
    place: `rights/${workspaceId}/${member.user_id}`,
    start: { duty, folder_ids, group_ids, approves, regions },
    schema: MemberChange.omit({ role: true }),
    topics: ['members'],
    run: (rights) =>
      client.call(updateMember, {
        params: { id: workspaceId, userId: member.user_id },
        body: { role: member.role, ...rights },
      }),
    said: () => t('rights.saved', { name: member.name }),
    done: onClose,
  });
  const { values, set } = form;
  return (
    <KeptDialog
      title={t('rights.title', { name: member.name })}
      form={form}
      submit={t('common.save')}
      onClose={onClose}
    >
      {headquarters && <RegionRights value={values.regions} onChange={(next) => set({ regions: next })} />}
      {member.role === 'workspace_editor' && <EditorRights form={form} />}
    </KeptDialog>
  );
}

function EditorRights({ form }: { form: { values: EditorValues; set: (change: Partial<EditorValues>) => void } }) {
  const { t } = useTranslation();
  const folders = pathsOf(useQuery(foldersQuery).data ?? []);
  const groups = useQuery(groupsQuery).data ?? [];
  const { values, set } = form;
  const duties = ['all', 'upload'] as const;
  return (
    <>
      <RadioCards
        label={t('rights.duty')}
        value={values.duty}
        onChange={(next) => set({ duty: next })}
        options={duties.map((value) => ({
          value,
          label: t(`rights.duties.${value}`),
          hint: t(`rights.dutyHints.${value}`),
        }))}
      />
      <Some
        of="folders"
        rows={folders}
        none={t('rights.foldersNone')}
        value={values.folder_ids}
        onChange={(ids) => set({ folder_ids: ids })}
      />
      {values.duty === 'all' && (
        <>
          <Some
            of="screens"
            rows={groups}
            none={t('rights.groupsNone')}
            value={values.group_ids}
            onChange={(ids) => set({ group_ids: ids })}
          />
          <Checkbox
            isSelected={values.approves}
            onChange={(on) => set({ approves: on })}
            hint={t('rights.approvesHint')}
          >
            {t('rights.approves')}
          </Checkbox>
        </>
      )}
    </>
  );
}

/** Number of rows from which the list has a search field. */
const SEARCH_FROM = 9;
/** Maximum number of rendered rows. Ticked rows are always rendered. */
const FEW = 60;

type SomeProps = {
  of: 'folders' | 'screens';
  rows: readonly Row[];
  /** Text for an empty list. */
  none: string;
  value: string[] | null;
  onChange: (ids: string[] | null) => void;
};

/** Radio buttons for "all" and "some"; for "some", a list with checkboxes. */
function Some({ of, rows, none, value, onChange }: SomeProps) {
  const { t } = useTranslation();
  const [q, setQ] = useState('');
  const which = ['all', 'some'] as const;
  const wanted = q.trim().toLocaleLowerCase();
  const ticked = new Set(value);
  const found = rows
    .filter(({ id, name }) => ticked.has(id) || name.toLocaleLowerCase().includes(wanted))
    .filter(({ id }, i) => ticked.has(id) || i < FEW);
  const toggle = (id: string, on: boolean) =>
    onChange(rows.filter((row) => (row.id === id ? on : ticked.has(row.id))).map((row) => row.id));
  return (
    <>
      <RadioCards
        label={t(`rights.${of}`)}
        value={value === null ? 'all' : 'some'}
        onChange={(next) => onChange(next === 'all' ? null : [])}
        options={which.map((one) => ({
          value: one,
          label: t(`rights.${of}Of.${one}`),
          hint: t(`rights.${of}Hints.${one}`),
        }))}
      />
      {value !== null && (
        <fieldset className="rights-some" aria-label={t(`rights.${of}`)}>
          {rows.length === 0 && <p className="field-hint">{none}</p>}
          {rows.length >= SEARCH_FROM && <SearchField label={t('rights.search')} value={q} onChange={setQ} />}
          <div className="rights-rows">
            {found.map(({ id, name }) => (
              <Checkbox key={id} isSelected={ticked.has(id)} onChange={(on) => toggle(id, on)}>
                {name}
              </Checkbox>
            ))}
          </div>
          {value.length === 0 && rows.length > 0 && <Notice tone="info" title={t('rights.nothing')} />}
        </fieldset>
      )}
    </>
  );
}
