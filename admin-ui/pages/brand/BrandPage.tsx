import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type BrandChange,
  MAX_BRAND_NAME,
  updateBrand,
  type WorkspaceBrand,
} from '../../../shared/contract/people/brand.ts';
import { BRAND_FONTS, type Brand, paletteOf } from '../../../shared/design/brand.ts';
import { brandQuery, useStoredBrand } from '../../api/brand.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { useKeptDraft } from '../../api/editing/useKeptDraft.ts';
import { contentQuery, thumbnailOf } from '../../api/files/content.ts';
import { useImage } from '../../api/files/useImage.ts';
import { client } from '../../api/requests/client.ts';
import { useMe } from '../../api/session/me.ts';
import { Checkbox, Segments } from '../../components/choices/Choices.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { ChangeForm } from '../../components/fields/Form.tsx';
import { NumberField } from '../../components/fields/NumberField.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import '../../components/frame/maker.css';
import { LeaveGuard } from '../../components/frame/LeaveGuard.tsx';
import { Bone, Page, Section } from '../../components/frame/Page.tsx';
import { KeptNotice } from '../../domain/saving/KeptNotice.tsx';
import { BrandColorField } from './BrandColorField.tsx';
import { BrandPreview } from './BrandPreview.tsx';
import './brand.css';
import { BRAND_COLORS, type BrandDraft, changesOf, fontName, isComplete, withChanges } from './brand.utils.ts';
import { LogoField } from './LogoField.tsx';
import { colorsOfPicture } from './logoColors.ts';

const MAX_RADIUS = 120;

/** The brand of the current workspace: what its designs look like. */
export function BrandPage() {
  const { t } = useTranslation();
  const { current_workspace_id: id } = useMe();
  const stored = useStoredBrand();
  return (
    <Page title={t('brand.title')} lead={t('brand.lead')}>
      {stored && id !== null ? (
        <Editor key={id} id={id} stored={stored} />
      ) : (
        <Bone height="28rem" radius="var(--r-xl)" />
      )}
    </Page>
  );
}

function Editor({ id, stored }: { id: string; stored: WorkspaceBrand }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<BrandDraft>({});
  const queries = useQueryClient();
  const changes = changesOf(draft, stored);
  const isChanged = Object.keys(changes).length > 0;
  const kept = useKeptDraft({ place: `brand/${id}`, value: draft, changed: isChanged, restore: setDraft });
  const save = useEdit({
    topics: ['brand', 'settings'],
    run: () => client.call(updateBrand, { params: { id }, body: changes as BrandChange }),
    said: () => t('brand.saved'),
    done: (saved) => {
      // Shown at once, so that the fields do not fall back to the former values until the brand is fetched again.
      queries.setQueryData(brandQuery(id).queryKey, saved);
      setDraft({});
    },
  });
  const brand = withChanges(stored, changes);
  const shown = { ...brand, name: brand.name || stored.display_name };
  return (
    <>
      <KeptNotice offer={kept.offer} />
      <div className="maker">
        <ChangeForm
          changed={isChanged}
          valid={isComplete(changes)}
          isPending={save.isPending}
          onSave={() => save.mutate()}
          onDiscard={() => setDraft({})}
        >
          <Fields
            draft={{ ...stored, ...draft }}
            stored={stored}
            brand={brand}
            onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
          />
        </ChangeForm>
        <div className="maker-preview">
          <BrandPreview brand={shown} />
        </div>
      </div>
      <LeaveGuard when={isChanged} />
    </>
  );
}

type FieldsProps = {
  /** The values of the fields, with incomplete colours. */
  draft: Brand;
  stored: WorkspaceBrand;
  /** The brand with all complete changes. */
  brand: Brand;
  onChange: (change: BrandDraft) => void;
};

function Fields({ draft, stored, brand, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const suggested = useLogoColors(draft.logo_content_id);
  const palette = paletteOf(brand);
  const fonts = BRAND_FONTS.map((value) => ({ value: value as string, label: fontName(value) }));
  return (
    <>
      <Section title={t('brand.identity')}>
        <TextField
          label={t('common.name')}
          hint={t('brand.nameHint')}
          placeholder={stored.name === '' ? stored.display_name : ''}
          value={draft.name}
          maxLength={MAX_BRAND_NAME}
          onChange={(name) => onChange({ name })}
        />
        <LogoField
          label={t('brand.logo')}
          hint={t('brand.logoHint')}
          contentId={draft.logo_content_id}
          background={brand.paper}
          onChange={(logo_content_id) => onChange({ logo_content_id })}
        />
        <LogoField
          label={t('brand.darkLogo')}
          hint={t('brand.darkLogoHint')}
          contentId={draft.logo_dark_content_id}
          background={paletteOf({ ...brand, tone: 'dark' }).paper}
          onChange={(logo_dark_content_id) => onChange({ logo_dark_content_id })}
        />
      </Section>
      <Section title={t('brand.colorsTitle')}>
        <div className="field">
          <span className="field-label">{t('brand.tone')}</span>
          <Segments
            label={t('brand.tone')}
            value={draft.tone}
            onChange={(tone) => onChange({ tone })}
            options={(['light', 'dark'] as const).map((value) => ({ value, label: t(`brand.tones.${value}`) }))}
          />
        </div>
        {BRAND_COLORS.map((color) => (
          <BrandColorField
            key={color}
            color={color}
            value={draft[color] ?? ''}
            brand={brand}
            suggested={suggested}
            onChange={(value) => onChange({ [color]: value })}
          />
        ))}
      </Section>
      <Section title={t('brand.look')}>
        {(['heading_font', 'body_font'] as const).map((field) => (
          <Select
            key={field}
            label={t(`brand.${field}`)}
            value={draft[field]}
            options={fonts}
            onChange={(font) => onChange({ [field]: font })}
            hint={
              <span
                className="brand-font"
                style={{ fontFamily: `'${fontName(draft[field])} Variable', '${fontName(draft[field])}', sans-serif` }}
              >
                {t('brand.fontSample')}
              </span>
            }
          />
        ))}
        <NumberField
          label={t('brand.radius')}
          hint={t('brand.radiusHint')}
          value={draft.radius}
          min={0}
          max={MAX_RADIUS}
          step={4}
          onChange={(radius) => onChange({ radius: radius ?? 0 })}
        />
        <span
          className="brand-radius"
          aria-hidden
          style={{ background: palette.primary, borderRadius: `${brand.radius / 2}px` }}
        />
        <Checkbox
          isSelected={draft.reduced_motion}
          hint={t('brand.reducedMotionHint')}
          onChange={(reduced_motion) => onChange({ reduced_motion })}
        >
          {t('brand.reducedMotion')}
        </Checkbox>
      </Section>
    </>
  );
}

/** Returns the main colours of a logo; none while they are read, or without a logo. */
const useLogoColors = (contentId: string | null): readonly string[] => {
  const content = useQuery({ ...contentQuery(contentId ?? ''), enabled: contentId !== null }).data?.content;
  const image = useImage(contentId !== null && content ? thumbnailOf(content) : null);
  const address = image.status === 'ready' ? image.src : null;
  const [colors, setColors] = useState<readonly string[]>([]);
  useEffect(() => {
    setColors([]);
    if (address === null) return;
    let isGone = false;
    void colorsOfPicture(address).then((found) => !isGone && setColors(found));
    return () => {
      isGone = true;
    };
  }, [address]);
  return colors;
};
