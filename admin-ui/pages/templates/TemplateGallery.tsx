import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FilePlus2 } from 'lucide-react';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Brand } from '../../../shared/design/brand.ts';
import { DESIGN_VERSION, type Design } from '../../../shared/design/design.ts';
import { PAGE_FORMATS, type PageFormat } from '../../../shared/design/page-formats.ts';
import { templateDesign } from '../../../shared/design/templates/all.ts';
import type { TemplateTask } from '../../../shared/design/templates/tasks.ts';
import { TEMPLATE_STYLES, type TemplateStyle } from '../../../shared/design/templates/template.ts';
import { useBrand } from '../../api/brand.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { createDesign } from '../../api/files/designs.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { SearchField } from '../../components/fields/SearchField.tsx';
import { Empty, Page, Section } from '../../components/frame/Page.tsx';
import '../../components/frame/Toolbar.css';
import { DesignPreview } from '../../domain/designs/DesignPreview.tsx';
import nothingFoundDrawing from '../../drawings/nothing-found.svg?raw';
import { templates as german } from '../../i18n/de/templates.ts';
import { templates as english } from '../../i18n/en/templates.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { OwnTemplates } from './OwnTemplates.tsx';
import { GROUPS, localOf, nextSaturday, tasksMatching } from './templates.utils.ts';
import { useCurrency } from './useCurrency.ts';

type TaskId = keyof typeof english.tasks;

/** The names of a template and of its group in both languages, for the search. */
const namesOf = ({ id, group }: TemplateTask): string =>
  [english, german].flatMap(({ tasks, groups }) => [tasks[id as TaskId], groups[group]]).join(' ');

const BLANK: Design = {
  format: 'vitrine-design',
  version: DESIGN_VERSION,
  template: false,
  style: null,
  pages: [
    {
      id: 'page-1',
      background: { kind: 'color', color: 'paper' },
      elements: [],
      layout: null,
      arrangements: {},
      duration_ms: null,
    },
  ],
};

/** All templates by task and style, drawn with the brand of the workspace. */
export function TemplateGallery() {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/content/new-design' });
  const { q = '', look, format } = useSearch({ from: '/shell/content/new-design' });
  const brand = useBrand();
  const locale = useLocaleTag();
  const [currency] = useCurrency();
  const [until] = useState(() => nextSaturday(localOf(new Date())));
  const shape: PageFormat = PAGE_FORMATS.find((one) => one === format) ?? 'landscape';
  const styles = TEMPLATE_STYLES.filter((one) => look === undefined || one === look);
  const tasks = tasksMatching(useDeferredValue(q), namesOf);
  const change = (part: { q?: string | undefined; look?: string | undefined; format?: string | undefined }) =>
    void navigate({
      search: (now) => Object.fromEntries(Object.entries({ ...now, ...part }).filter(([, v]) => v !== undefined)),
      replace: true,
    });
  return (
    <Page title={t('templates.title')} lead={t('templates.lead')} actions={<BlankPage />}>
      <div className="toolbar">
        <SearchField
          label={t('templates.search')}
          value={q}
          onChange={(text) => change({ q: text || undefined })}
          autoFocus
        />
        <Select
          label={t('templates.style')}
          hideLabel
          value={look ?? ANY}
          onChange={(next) => change({ look: next === ANY ? undefined : next })}
          options={[
            { value: ANY, label: t('templates.allStyles') },
            ...TEMPLATE_STYLES.map((value) => ({ value, label: t(`templates.styles.${value}`) })),
          ]}
        />
        <div className="toolbar-end template-formats">
          <Segments
            label={t('designer.format')}
            value={shape}
            onChange={(next) => change({ format: next === 'landscape' ? undefined : next })}
            options={PAGE_FORMATS.map((value) => ({ value, label: t(`designer.formats.${value}`) }))}
          />
        </div>
      </div>
      <OwnTemplates typed={q} shape={shape} brand={brand} />
      {tasks.length === 0 && <Empty drawing={nothingFoundDrawing} title={t('templates.noneFound')} />}
      {GROUPS.map((group) => {
        const here = tasks.filter((task) => task.group === group);
        return (
          here.length > 0 && (
            <Section key={group} title={t(`templates.groups.${group}`)}>
              <ul className={`design-template-grid ${shape}`}>
                {here.flatMap(({ id }) =>
                  styles.map((style) => (
                    <TemplateCard key={`${id} ${style}`} {...{ id, style, shape, brand, locale, currency, until }} />
                  )),
                )}
              </ul>
            </Section>
          )
        );
      })}
    </Page>
  );
}
const ANY = 'any';

type TemplateCardProps = {
  id: string;
  style: TemplateStyle;
  shape: PageFormat;
  brand: Brand;
  locale: string;
  currency: string;
  until: string;
};

const TemplateCard = memo(function TemplateCard({
  id,
  style,
  shape,
  brand,
  locale,
  currency,
  until,
}: TemplateCardProps) {
  const { t } = useTranslation();
  const design = useMemo(
    () => templateDesign(id, style, { language: locale, currency, until })!,
    [id, style, locale, currency, until],
  );
  return (
    <li>
      <Link
        to="/content/new-design"
        search={({ q: _, ...now }) => ({ ...now, task: id, style })}
        className="template-card"
      >
        <DesignPreview design={design} size={shape} brand={brand} label="" />
        <span className="truncate">{t(`templates.tasks.${id as TaskId}`)}</span>{' '}
        <small>{t(`templates.styles.${style}`)}</small>
      </Link>
    </li>
  );
});

/** Button that creates an empty design and opens the designer. */
function BlankPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { folder } = useSearch({ from: '/shell/content/new-design' });
  const create = useEdit({
    topics: ['content'],
    run: () => createDesign(BLANK, t('templates.untitled'), folder ?? null),
    done: ({ id }) => void navigate({ to: '/content/$contentId/design', params: { contentId: id } }),
  });
  return (
    <Button icon={FilePlus2} isPending={create.isPending} onPress={() => create.mutate()}>
      {t('templates.blank')}
    </Button>
  );
}
