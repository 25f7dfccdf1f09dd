import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFound } from '../../api/requests/useFound.ts';
import { useOwnGroups } from '../../api/session/me.ts';
import { Chips, FindBox, type FindGroup } from '../../components/lists/FindBox.tsx';
import { hitIcons, hitOfRow, hitTitles, noneOf, rowOf } from '../content/hits.tsx';
import '../content/pickers.css';

/** A chosen target. `all`: every screen of the workspace, with the id ''. The id of a tag is the tag itself. */
export interface Target {
  readonly kind: 'all' | 'device' | 'group' | 'tag';
  readonly id: string;
  readonly name: string;
  /** Number of screens of the target; undefined for a single screen or if unknown. */
  readonly screens?: number | undefined;
}

const KINDS = ['group', 'tag', 'device'] as const;
type Kind = (typeof KINDS)[number];

type TargetPickerProps = {
  label: string;
  hint?: string;
  value: readonly Target[];
  onChange: (value: Target[]) => void;
  /** Kinds of targets that can be chosen. @default groups, tags and screens */
  kinds?: readonly Kind[];
  /** Offers "all screens". This choice excludes other targets. */
  allowsAll?: boolean;
  /** Maximum number of targets. */
  max?: number;
  isDisabled?: boolean;
  isInvalid?: boolean;
  autoFocus?: boolean;
};

const keyOf = ({ kind, id }: Pick<Target, 'kind' | 'id'>): string => `${kind}:${id}`;
const ALL = 'all:';

/**
 * Chooses several screens, groups and tags by typing. Chosen targets are listed above. Only targets that the user may
 * change are offered.
 */
export function TargetPicker({
  label,
  hint,
  value,
  onChange,
  kinds = KINDS,
  allowsAll = false,
  max = Number.POSITIVE_INFINITY,
  isDisabled = false,
  ...field
}: TargetPickerProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const ownGroups = useOwnGroups();
  const found = useFound(kinds, text, { mine: ownGroups !== null });
  const chosen = value.map(keyOf);
  const groups: FindGroup[] = found.groups.map(({ kind, hits }) => ({
    id: kind,
    title: t(hitTitles[kind]),
    rows: hits.map((hit) => rowOf(hit, t)),
  }));
  if (allowsAll && ownGroups === null && text.trim() === '') groups.unshift(everywhere(t));
  const toggle = (key: string) => {
    setText('');
    if (chosen.includes(key)) onChange(value.filter((target) => keyOf(target) !== key));
    else if (key === ALL) onChange([{ kind: 'all', id: '', name: t('find.allScreens') }]);
    else if (value.length < max) onChange([...value.filter(({ kind }) => kind !== 'all'), targetOf(key)]);
  };
  const targetOf = (key: string): Target => {
    const { kind, id } = hitOfRow(key);
    const hit = found.groups.flatMap((group) => group.hits).find((each) => each.kind === kind && each.id === id);
    return { kind: kind as Kind, id, name: hit?.name ?? id, screens: hit?.screens ?? undefined };
  };
  return (
    <div className="field picker" data-anchor>
      <span className="field-label">{label}</span>
      {value.length > 0 && (
        <Chips
          label={t('find.chosen', { label })}
          chips={value.map((target) => ({
            id: keyOf(target),
            name: target.name,
            aside: target.screens === undefined ? undefined : t('common.screens', { count: target.screens }),
            picture: <TargetIcon kind={target.kind} />,
          }))}
          onRemove={toggle}
          removeLabel={(name) => t('find.remove', { name })}
          isDisabled={isDisabled}
        />
      )}
      <FindBox
        {...field}
        label={label}
        hideLabel
        hint={hint}
        placeholder={t('find.typeName')}
        text={text}
        onText={setText}
        groups={groups}
        isCurrent={found.isCurrent}
        none={noneOf(found.state, text, t)}
        more={found.more && t('common.typeMore', found.more)}
        chosen={chosen}
        onChoose={toggle}
        isDisabled={isDisabled}
      />
    </div>
  );
}

function TargetIcon({ kind }: Pick<Target, 'kind'>) {
  const Icon = hitIcons[kind];
  return <Icon aria-hidden />;
}

const everywhere = (t: TFunction): FindGroup => ({
  id: 'all',
  title: t('find.everywhere'),
  rows: [{ id: ALL, name: t('find.allScreens'), hint: t('find.allHint'), picture: <TargetIcon kind="all" /> }],
});
