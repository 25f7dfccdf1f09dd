import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFound } from '../../api/requests/useFound.ts';
import type { FindGroup } from '../../components/lists/FindBox.tsx';
import { FindBox } from '../../components/lists/FindBox.tsx';
import { hitOfRow, hitTitles, noneOf, rowOf } from '../../domain/content/hits.tsx';
import type { Scope } from './scope.utils.ts';

const KINDS = ['group', 'tag', 'device'] as const;
const ALL = 'all:';

type ScopePickerProps = {
  scope: Scope;
  /** Name of the present group, tag or screen; undefined for all screens. */
  name: string | undefined;
  /** Called with the scope in the form of the address; undefined for all screens. */
  onChange: (scope: string | undefined) => void;
};

/** Field for choosing the screens of the calendar by typing: all screens, a group, a tag, or one screen. */
export function ScopePicker({ scope, name, onChange }: ScopePickerProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const found = useFound(KINDS, text);
  const groups: FindGroup[] = found.groups.map(({ kind, hits }) => ({
    id: kind,
    title: t(hitTitles[kind]),
    rows: hits.map((hit) => rowOf(hit, t)),
  }));
  if (text.trim() === '')
    groups.unshift({
      id: 'all',
      title: t('find.everywhere'),
      rows: [{ id: ALL, name: t('find.allScreens'), picture: null }],
    });
  const chosen = scope.kind === 'all' ? ALL : `${scope.kind === 'screen' ? 'device' : scope.kind}:${scope.id}`;
  return (
    <FindBox
      label={t('schedule.whose')}
      hideLabel
      placeholder={name ?? t('find.allScreens')}
      text={text}
      onText={setText}
      groups={groups}
      isCurrent={found.isCurrent}
      none={noneOf(found.state, text, t)}
      more={found.more && t('common.typeMore', found.more)}
      chosen={[chosen]}
      onChoose={(row) => {
        const { kind, id } = hitOfRow(row);
        setText('');
        onChange(row === ALL ? undefined : `${kind === 'device' ? 'screen' : kind}:${id}`);
      }}
    />
  );
}
