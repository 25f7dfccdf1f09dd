import { useQuery } from '@tanstack/react-query';
import { MapPin, Tag as TagIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MAX_TAGS, nameOf, Tag } from '../../../../shared/contract/fields.ts';
import { storeCountsQuery } from '../../../api/chain/stores.ts';
import type { useForm } from '../../../api/editing/useForm.ts';
import { TextField } from '../../../components/fields/TextField.tsx';
import { WordsField } from '../../../domain/content/WordsField.tsx';
import { parsePlace } from '../map/place.utils.ts';
import { usePlaceWords } from '../map/usePlaceWords.ts';
import type { StoreValues } from '../stores.utils.ts';

const NONE: readonly string[] = [];
const Region = nameOf(100);

/** Fields for the details of a store. */
export function StoreFields({ form }: { form: ReturnType<typeof useForm<StoreValues, unknown>> }) {
  const { t } = useTranslation();
  const { regions = NONE, tags = NONE } = useQuery(storeCountsQuery).data ?? {};
  const { region, tags: chosen } = form.values;
  const place = parsePlace(form.values.place);
  const wordsOf = usePlaceWords();
  return (
    <>
      <TextField
        {...form.field('name', t('common.name'))}
        placeholder={t('store.namePlaceholder')}
        autoFocus
        maxLength={200}
      />
      <WordsField
        label={t('store.region')}
        hint={t('store.regionHint')}
        icon={MapPin}
        placeholder={t('store.regionType')}
        titles={{ known: t('store.regions'), new: t('store.regionNew') }}
        known={regions}
        schema={Region}
        most={1}
        value={region === '' ? NONE : [region]}
        onChange={([next = '']) => form.set({ region: next })}
      />
      <WordsField
        label={t('store.tags')}
        hint={t('store.tagsHint')}
        icon={TagIcon}
        placeholder={t('tags.type')}
        titles={{ known: t('store.tags'), new: t('tags.new') }}
        known={tags}
        schema={Tag}
        most={MAX_TAGS}
        value={chosen}
        onChange={(next) => form.set({ tags: next })}
      />
      <TextField
        {...form.field('place', t('store.place'), t('store.placeWrong'))}
        hint={place ? t('store.placeRead', { place: wordsOf(place) }) : t('store.placeHint')}
        spellCheck="false"
        autoComplete="off"
        maxLength={200}
      />
      <TextField {...form.field('note', t('store.note'))} hint={t('store.noteHint')} multiline maxLength={1000} />
    </>
  );
}
