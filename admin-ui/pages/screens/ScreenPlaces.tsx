import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { DeviceDetail } from '../../../shared/contract/screens/devices.ts';
import { groupsQuery } from '../../api/groups.ts';
import { layoutsQuery } from '../../api/layouts.ts';
import { targetKey } from '../../api/targets.ts';
import { wallsQuery } from '../../api/walls.ts';
import { templateName } from '../../domain/records/templateName.ts';

/** Section with links to the groups, the layout and the wall of the screen. */
export function ScreenPlaces({ detail }: { detail: DeviceDetail }) {
  const { t } = useTranslation();
  const groups = (useQuery(groupsQuery).data ?? []).filter(({ id }) => detail.group_ids.includes(id));
  const layout = useQuery({ ...layoutsQuery, enabled: detail.layout_id !== null }).data?.find(
    ({ id }) => id === detail.layout_id,
  );
  const wall = useQuery({ ...wallsQuery, enabled: detail.wall_id !== null }).data?.find(
    ({ id }) => id === detail.wall_id,
  );
  return (
    <ul className="screen-places">
      <li>
        <span>{t('nav.schedule')}</span>
        <Link to="/schedule" search={{ for: targetKey({ kind: 'screen', id: detail.id }) }}>
          {t('screen.itsSchedule')}
        </Link>
      </li>
      {groups.map((group) => (
        <li key={group.id}>
          <span>{t('screens.group')}</span>
          <Link to="/groups/$groupId" params={{ groupId: group.id }} className="truncate">
            {group.name}
          </Link>
        </li>
      ))}
      {layout && (
        <li>
          <span>{t('bulk.layout')}</span>
          <Link to="/layouts/$layoutId" params={{ layoutId: layout.id }} className="truncate">
            {templateName(layout, t)}
          </Link>
        </li>
      )}
      {wall && (
        <li>
          <span>{t('screen.wall')}</span>
          <Link to="/walls/$wallId" params={{ wallId: wall.id }} className="truncate">
            {wall.name}
          </Link>
        </li>
      )}
      {detail.tags.map((tag) => (
        <li key={tag}>
          <span>{t('screens.tag')}</span>
          <Link to="/screens" search={{ tag }} className="truncate">
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}
