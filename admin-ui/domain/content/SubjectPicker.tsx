import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useTranslation } from 'react-i18next';
import type { SearchHit } from '../../../shared/contract/server/search.ts';
import { hitQuery } from '../../api/requests/search.ts';
import { useFound } from '../../api/requests/useFound.ts';
import { IconButton } from '../../components/controls/Button.tsx';
import { FindBox } from '../../components/lists/FindBox.tsx';
import { HitPicture, hitOfRow, hitTitles, nameOfHit, noneOf, rowOf } from './hits.tsx';
import './pickers.css';

export type PickedKind = Exclude<SearchHit['kind'], 'tag' | 'person' | 'plan' | 'folder' | 'label'>;
/** A chosen record: playlist, content, widget or layout. */
export interface Picked {
  readonly kind: PickedKind;
  readonly id: string;
}

type SubjectPickerProps = {
  label: string;
  hideLabel?: boolean;
  hint?: string | undefined;
  /** Text for an empty choice. @default a hint to type a name */
  placeholder?: string;
  /** Kinds of records that can be chosen. @default kinds that a screen can show */
  kinds?: readonly PickedKind[];
  /** Offers only screens and groups that the user may change. */
  isMine?: boolean;
  value: Picked | null;
  /** Called with the choice. `null` clears the choice, if `allowsNone` permits this. */
  onChange: (value: Picked | null, hit?: SearchHit) => void;
  allowsNone?: boolean;
  isDisabled?: boolean;
  isInvalid?: boolean;
  autoFocus?: boolean;
};

const SHOWN = ['playlist', 'content', 'widget', 'layout'] as const;

/** Chooses a playlist, content, widget or layout by typing. The choice is shown with its picture. */
export function SubjectPicker({
  kinds = SHOWN,
  isMine = false,
  value,
  onChange,
  allowsNone = false,
  autoFocus = false,
  ...field
}: SubjectPickerProps) {
  const [changing, setChanging] = useState(false);
  /** True after a choice, or when Escape has cancelled a choice: the shown record gets the focus. */
  const [isBack, setBack] = useState(false);
  return value === null || changing ? (
    <Asking
      {...field}
      kinds={kinds}
      isMine={isMine}
      autoFocus={autoFocus || changing}
      onLeave={() => {
        setChanging(false);
        setBack(false);
      }}
      onEscape={
        changing
          ? () => {
              setChanging(false);
              setBack(true);
            }
          : undefined
      }
      onChoose={(hit) => {
        setChanging(false);
        setBack(true);
        onChange({ kind: hit.kind as PickedKind, id: hit.id }, hit);
      }}
    />
  ) : (
    <Chosen
      {...field}
      value={value}
      autoFocus={isBack}
      onChange={() => setChanging(true)}
      onClear={allowsNone ? () => onChange(null) : undefined}
    />
  );
}

type Field = Pick<SubjectPickerProps, 'label' | 'hideLabel' | 'hint' | 'placeholder' | 'isDisabled' | 'isInvalid'>;
type AskingProps = Field & {
  kinds: readonly PickedKind[];
  isMine: boolean;
  autoFocus: boolean;
  onLeave: () => void;
  onEscape: (() => void) | undefined;
  onChoose: (hit: SearchHit) => void;
};

function Asking({ kinds, isMine, placeholder, onChoose, ...field }: AskingProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const found = useFound(kinds, text, { mine: isMine });
  const choose = (row: string) => {
    const { kind, id } = hitOfRow(row);
    const hit = found.groups.flatMap(({ hits }) => hits).find((each) => each.kind === kind && each.id === id);
    if (hit) onChoose(hit);
  };
  return (
    <FindBox
      {...field}
      placeholder={placeholder ?? t('find.typeName')}
      text={text}
      onText={setText}
      groups={found.groups.map(({ kind, hits }) => ({
        id: kind,
        title: t(hitTitles[kind]),
        rows: hits.map((hit) => rowOf(hit, t)),
      }))}
      isCurrent={found.isCurrent}
      none={noneOf(found.state, text, t)}
      more={found.more && t('common.typeMore', found.more)}
      onChoose={choose}
    />
  );
}

type ChosenProps = Field & {
  value: Picked;
  autoFocus: boolean;
  onChange: () => void;
  onClear: (() => void) | undefined;
};

function Chosen({ label, hideLabel, hint, value, autoFocus, onChange, onClear, isDisabled = false }: ChosenProps) {
  const { t } = useTranslation();
  const id = useId();
  const { data: hit } = useQuery(hitQuery(value.kind, value.id));
  const name = hit === null ? t('find.gone') : hit ? nameOfHit(hit, t) : '';
  return (
    <div className="field">
      {!hideLabel && (
        <span className="field-label" id={id}>
          {label}
        </span>
      )}
      <div className="input picked" data-disabled={isDisabled || undefined}>
        <AriaButton
          className="picked-button"
          onPress={onChange}
          autoFocus={autoFocus}
          isDisabled={isDisabled}
          aria-label={`${label}: ${name}`}
          {...(hint && { 'aria-describedby': `${id}-hint` })}
        >
          <span className="find-picture">{hit && <HitPicture hit={hit} />}</span>
          <span className="truncate">{name}</span>
          {!onClear && <ChevronsUpDown aria-hidden />}
        </AriaButton>
        {onClear && !isDisabled && (
          <IconButton icon={X} size="small" label={t('find.remove', { name })} onPress={onClear} />
        )}
      </div>
      {hint && (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
