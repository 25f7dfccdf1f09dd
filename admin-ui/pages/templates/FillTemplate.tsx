import { CloudUpload, ListPlus, Pencil, Save, Stamp } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Design } from '../../../shared/design/design.ts';
import { hasRoomForCode, templateDesign } from '../../../shared/design/templates/all.ts';
import { TEMPLATE_STYLES, type TemplateStyle } from '../../../shared/design/templates/template.ts';
import { useBrand } from '../../api/brand.ts';
import { useCanWrite, useMe } from '../../api/session/me.ts';
import { Select } from '../../components/choices/Select.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { LeaveGuard } from '../../components/frame/LeaveGuard.tsx';
import { Page, Section } from '../../components/frame/Page.tsx';
import { usePhone } from '../../components/hooks/useMedia.ts';
import { DesignPreview } from '../../domain/designs/DesignPreview.tsx';
import { FillFields } from '../../domain/designs/FillFields.tsx';
import { type Changes, fieldsOf, withValues } from '../../domain/designs/fields.ts';
import { photo, useNewPictures } from '../../domain/designs/newPictures.ts';
import { TwoPreviews } from '../../domain/designs/TwoPreviews.tsx';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import '../../components/frame/maker.css';
import { ShowFields } from './ShowFields.tsx';
import { ALL_CURRENCIES, localOf, nextSaturday } from './templates.utils.ts';
import { useCreateDesign } from './useCreateDesign.ts';
import { useCurrency } from './useCurrency.ts';
import { useWhere } from './useWhere.ts';

type FillTemplateProps = {
  title: string;
  back: ReactNode;
  /** A template of Vitrine by its task and style, or a design of the workspace. */
  source: { readonly task: string; readonly style: TemplateStyle } | { readonly design: Design };
  onStyle: (style: TemplateStyle) => void;
  folder: string | undefined;
  playlist: string | undefined;
};

/** Key of the first picture of a design (fields.ts). */
const FIRST_PICTURE = 'media::1';

/** Form that makes a design from a template. Nothing is stored before the user saves or publishes. */
export function FillTemplate({ title, back, source, onStyle, folder, playlist }: FillTemplateProps) {
  const { t } = useTranslation();
  const me = useMe();
  const canWrite = useCanWrite();
  const isPhone = usePhone();
  const locale = useLocaleTag();
  const [currency, setCurrency] = useCurrency();
  const pictures = useNewPictures();
  const [saturday] = useState(() => nextSaturday(localOf(new Date())));
  const [changes, setChanges] = useState<Changes>({});
  const { add } = pictures;
  useEffect(() => {
    const taken = photo.take();
    if (taken) setChanges((now) => ({ ...now, [FIRST_PICTURE]: add(taken) }));
  }, [add]);
  const [code, setCode] = useState('');
  const [until, setUntil] = useState<string | null>(null);
  const options = { language: locale, currency, until: saturday, ...(code.trim() && { qr: code.trim() }) };
  const baseIn = (style: TemplateStyle): Design =>
    'design' in source ? { ...source.design, template: false } : templateDesign(source.task, style, options)!;
  const task = 'task' in source ? source.task : undefined;
  const style = 'task' in source ? source.style : 'bold';
  // biome-ignore lint/correctness/useExhaustiveDependencies: `options` and `baseIn` are made of these values
  const base = useMemo(() => baseIn(style), [source, style, locale, currency, code, saturday]);
  const fields = fieldsOf(base);
  // The optional code has a field of its own.
  const asksCode =
    task !== undefined && hasRoomForCode(task) && !fieldsOf(withoutCode(task, style, options)).some(isCode);
  const design = useMemo(() => withValues(base, changes), [base, changes]);
  const choice = useWhere(playlist);
  const create = useCreateDesign({ design, pictures, folder, where: choice.where, until });
  const mayPublish = canWrite && !choice.isNowhere;
  const asks = me.needs_approval && choice.where.kind === 'playlist';
  return (
    <Page title={title} before={back}>
      <LeaveGuard when={Object.keys(changes).length > 0 && !create.isSuccess} />
      <form
        className="maker fill-template"
        onSubmit={(event) => {
          event.preventDefault();
          if (mayPublish && choice.isReady) create.mutate('publish');
        }}
      >
        <div className="maker-form">
          <div className="form">
            <FillFields
              fields={asksCode ? fields.filter((field) => !isCode(field)) : fields}
              changes={changes}
              pictures={pictures}
              autoFocus
              onChange={(key, value) => setChanges((now) => ({ ...now, [key]: value }))}
            />
            {asksCode && (
              <TextField
                label={t('templates.addCode')}
                value={code}
                onChange={setCode}
                maxLength={1000}
                spellCheck="false"
              />
            )}
            {task !== undefined && fields.some((field) => field.currency !== null) && (
              <Select
                label={t('templates.currency')}
                value={currency}
                onChange={setCurrency}
                options={ALL_CURRENCIES.map((value) => ({ value, label: value }))}
              />
            )}
          </div>
          {canWrite && (
            <Section title={t('templates.show')}>
              <div className="form">
                <ShowFields choice={choice} until={until} onUntil={setUntil} />
              </div>
            </Section>
          )}
          <div className="fill-actions">
            {mayPublish && (
              <Button
                type="submit"
                variant="primary"
                icon={asks ? Stamp : CloudUpload}
                isDisabled={!choice.isReady}
                isPending={create.isPending && create.variables === 'publish'}
              >
                {asks ? t('templates.ask') : t('templates.publish')}
              </Button>
            )}
            {playlist !== undefined && choice.where.kind === 'playlist' && choice.where.id === playlist ? (
              <Button icon={ListPlus} isDisabled={create.isPending} onPress={() => create.mutate('add')}>
                {t('templates.addToPlaylist')}
              </Button>
            ) : (
              <Button
                icon={Save}
                variant={mayPublish ? 'secondary' : 'primary'}
                isDisabled={create.isPending}
                onPress={() => create.mutate('save')}
              >
                {t('templates.save')}
              </Button>
            )}
            {!isPhone && (
              <Button
                icon={Pencil}
                variant="quiet"
                isDisabled={create.isPending}
                onPress={() => create.mutate('designer')}
              >
                {t('templates.edit')}
              </Button>
            )}
          </div>
        </div>
        <div className="maker-preview">
          <TwoPreviews design={design} pictures={pictures} />
          {task !== undefined && (
            <StyleStrip
              value={style}
              onChange={onStyle}
              designIn={(each) => withValues(baseIn(each), changes)}
              pictures={pictures}
            />
          )}
        </div>
      </form>
    </Page>
  );
}

const isCode = ({ kind }: { kind: string }): boolean => kind === 'qr';
const withoutCode = (
  task: string,
  style: TemplateStyle,
  { qr: _, ...options }: Parameters<typeof templateDesign>[2],
): Design => templateDesign(task, style, options)!;

type StyleStripProps = {
  value: TemplateStyle;
  onChange: (style: TemplateStyle) => void;
  designIn: (style: TemplateStyle) => Design;
  pictures: ReturnType<typeof useNewPictures>;
};

/** The template in every style, with the typed words. On a phone, the strip scrolls sideways. */
function StyleStrip({ value, onChange, designIn, pictures }: StyleStripProps) {
  const { t } = useTranslation();
  const brand = useBrand();
  return (
    <fieldset className="style-strip">
      <legend className="field-label">{t('templates.style')}</legend>
      <div>
        {TEMPLATE_STYLES.map((style) => (
          <button key={style} type="button" aria-pressed={style === value} onClick={() => onChange(style)}>
            <DesignPreview design={designIn(style)} size="landscape" brand={brand} label="" resolve={pictures} />
            <span>{t(`templates.styles.${style}`)}</span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}
