import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { TEMPLATE_TASKS } from '../../../shared/design/templates/tasks.ts';
import { TEMPLATE_STYLES } from '../../../shared/design/templates/template.ts';
import { contentQuery } from '../../api/files/content.ts';
import { designQuery } from '../../api/files/designs.ts';
import { FillTemplate } from './FillTemplate.tsx';
import { TemplateGallery } from './TemplateGallery.tsx';
import './templates.css';

/** From "New" to a design: the templates, then a short form with the words of the chosen template. */
export function NewDesignPage() {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/content/new-design' });
  const { task: taskId, style, of, folder, playlist } = useSearch({ from: '/shell/content/new-design' });
  const task = TEMPLATE_TASKS.find(({ id }) => id === taskId);
  const record = useQuery({ ...contentQuery(of ?? ''), enabled: of !== undefined }).data;
  const sha256 = record?.content.sha256 ?? null;
  const own = useQuery({ ...designQuery(of ?? '', sha256 ?? ''), enabled: of !== undefined && sha256 !== null }).data;
  const back = (
    <Link to="/content/new-design" search={({ task: _, style: _s, of: _o, ...rest }) => rest} className="crumb">
      <ChevronLeft aria-hidden />
      {t('templates.all')}
    </Link>
  );
  const common = {
    back,
    folder,
    playlist,
    onStyle: (next: string) => void navigate({ search: (now) => ({ ...now, style: next }), replace: true }),
  };
  if (task) {
    const look = TEMPLATE_STYLES.find((one) => one === style) ?? TEMPLATE_STYLES[0];
    return (
      <FillTemplate
        key={task.id}
        title={t(`templates.tasks.${task.id}` as 'templates.tasks.offer')}
        source={{ task: task.id, style: look }}
        {...common}
      />
    );
  }
  if (record && own)
    return <FillTemplate key={of} title={record.content.filename} source={{ design: own }} {...common} />;
  return <TemplateGallery />;
}
