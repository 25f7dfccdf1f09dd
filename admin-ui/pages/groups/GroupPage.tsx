import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { CalendarDays, Copy, Megaphone, Trash2 } from 'lucide-react';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteGroup, duplicateGroup, type Group, updateGroup } from '../../../shared/contract/screens/groups.ts';
import { composer } from '../../api/editing/composer.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { groupsQuery } from '../../api/groups.ts';
import { schedulesQuery } from '../../api/plans.ts';
import { client } from '../../api/requests/client.ts';
import { useCanShow, useHasAllScreens } from '../../api/session/me.ts';
import { useMay } from '../../api/session/rights.ts';
import { targetKey } from '../../api/targets.ts';
import { Button, ButtonLink } from '../../components/controls/Button.tsx';
import { ChangeForm } from '../../components/fields/Form.tsx';
import { Swatches } from '../../components/fields/Swatches.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { DangerZone } from '../../components/frame/DangerZone.tsx';
import { Bone, Page, Section } from '../../components/frame/Page.tsx';
import { FallbackPicker } from '../../domain/content/FallbackPicker.tsx';
import { RecordPage } from '../../domain/records/RecordPage.tsx';
import { DeleteRecord } from '../../domain/saving/DeleteRecord.tsx';
import { Hindered } from '../../domain/saving/Hindered.tsx';
import { useDuplicate } from '../../domain/saving/useDuplicate.ts';
import { TagPicker } from '../../domain/screens/TagPicker.tsx';
import { ReportLink } from '../../domain/time/ReportLink.tsx';
import { Commands } from './Commands.tsx';
import { GroupPlaylist } from './GroupPlaylist.tsx';
import { GROUP_COLOURS } from './group.utils.ts';
import { Members } from './Members.tsx';
import './groups.css';

export function GroupPage() {
  const { t } = useTranslation();
  const { groupId } = useParams({ from: '/shell/groups/$groupId' });
  const query = useQuery(groupsQuery);
  const group = query.data?.find((g) => g.id === groupId);
  return (
    <RecordPage
      query={query}
      record={group}
      name={group?.name}
      list={{ to: '/groups', label: t('screens.allGroups') }}
      isMissing={query.data !== undefined && !group}
      bones={<Bone height="20rem" radius="var(--r-xl)" />}
    >
      {(record, back) => <GroupDetail key={record.id} group={record} back={back} />}
    </RecordPage>
  );
}

function GroupDetail({ group, back }: { group: Group; back: ReactNode }) {
  const { t } = useTranslation();
  const { may, why } = useMay('group', group.id);
  const hasAll = useHasAllScreens();
  const canShow = useCanShow();
  const duplicate = useDuplicate({
    topics: ['groups'],
    run: (body) => client.call(duplicateGroup, { params: { id: group.id }, body }),
    said: ({ name }) => t('find.duplicated', { name }),
    to: ({ id }) => ({ to: '/groups/$groupId', params: { groupId: id } }),
  });
  return (
    <Page
      before={back}
      title={
        <span className="group-title" style={{ '--group': group.color } as CSSProperties}>
          {group.name}
        </span>
      }
      lead={t('groups.screens', { count: group.device_count })}
      actions={
        <>
          {may && canShow && (
            <Button icon={Megaphone} onPress={() => composer.open([{ kind: 'group', id: group.id, name: group.name }])}>
              {t('nav.messageNow')}
            </Button>
          )}
          <ButtonLink to="/schedule" search={{ for: targetKey({ kind: 'group', id: group.id }) }} icon={CalendarDays}>
            {t('group.schedule')}
          </ButtonLink>
          <ReportLink of={{ kind: 'group', id: group.id }} />
          {hasAll && (
            <Button icon={Copy} isPending={duplicate.isPending} onPress={() => duplicate.mutate()}>
              {t('find.duplicate')}
            </Button>
          )}
        </>
      }
    >
      <Hindered why={why} />
      <div className="group-page">
        <div className="column">
          <Members group={group} chooses={hasAll && group.rule_tags === null} />
          {may && (
            <Section title={t('commands.title')} lead={t('group.commandsLead')}>
              <Commands group={group} />
            </Section>
          )}
        </div>
        <div className="column">
          <Section title={t('group.plays')}>
            <GroupPlaylist group={group} canWrite={may} />
          </Section>
          {may && (
            <Section title={t('nav.settings')}>
              <GroupSettings
                key={`${group.name} ${group.color} ${group.rule_tags} ${group.default_content_id}`}
                group={group}
              />
            </Section>
          )}
          {hasAll && <DeleteGroup group={group} />}
        </div>
      </div>
    </Page>
  );
}

const NONE: readonly string[] = [];

function GroupSettings({ group }: { group: Group }) {
  const { t } = useTranslation();
  const hasAll = useHasAllScreens();
  const [name, setName] = useState(group.name);
  const [color, setColor] = useState(group.color);
  const [rule, setRule] = useState(group.rule_tags ?? NONE);
  const [fallback, setFallback] = useState(group.default_content_id);
  const dirty =
    rule.join('\n') !== (group.rule_tags ?? NONE).join('\n') ||
    fallback !== group.default_content_id ||
    name.trim() !== group.name ||
    color.toLowerCase() !== group.color.toLowerCase();
  const save = useEdit({
    topics: ['groups', 'devices'],
    run: () =>
      client.call(updateGroup, {
        params: { id: group.id },
        body: { name, color, default_content_id: fallback, ...(hasAll && { rule_tags: [...rule] }) },
      }),
    said: () => t('common.saved'),
  });
  return (
    <ChangeForm
      changed={dirty}
      isPending={save.isPending}
      onSave={() => name.trim() && save.mutate()}
      onDiscard={() => {
        setName(group.name);
        setColor(group.color);
        setRule(group.rule_tags ?? NONE);
        setFallback(group.default_content_id);
      }}
    >
      <TextField
        label={t('common.name')}
        value={name}
        onChange={setName}
        maxLength={200}
        error={name.trim() ? undefined : t('form.missing', { field: t('common.name') })}
      />
      <Swatches
        label={t('schedule.colour')}
        colours={GROUP_COLOURS.map((c) => ({ value: c.value, name: t(`groups.colourOf.${c.name}`) }))}
        value={color}
        onChange={setColor}
      />
      {hasAll && <TagPicker label={t('groups.rule')} hint={t('groups.ruleHint')} value={rule} onChange={setRule} />}
      <FallbackPicker of="group" value={fallback} onChange={setFallback} targets={[{ kind: 'group', id: group.id }]} />
    </ChangeForm>
  );
}

function DeleteGroup({ group }: { group: Group }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const plans = useQuery({ ...schedulesQuery({ kind: 'group', id: group.id }), enabled: asking }).data?.length ?? 0;
  return (
    <DangerZone title={t('group.deleteTitle')} lead={t('group.deleteLead')}>
      <Button icon={Trash2} variant="danger-quiet" onPress={() => setAsking(true)}>
        {t('common.delete')}
      </Button>
      {asking && (
        <DeleteRecord
          topics={['groups', 'schedules', 'devices']}
          run={() => client.call(deleteGroup, { params: { id: group.id } })}
          to="/groups"
          binned={{ kind: 'group', id: group.id }}
          title={t('common.deleteAsk', { name: group.name })}
          said={({ schedules_converted: count }) => ({
            text: t('common.deleted', { name: group.name }),
            detail: count > 0 ? t('group.deletedPlans', { count }) : undefined,
          })}
          onClose={() => setAsking(false)}
        >
          <p>{t('group.deleteMembers', { count: group.device_count })}</p>
          {plans > 0 && <p>{t('group.deletePlans', { count: plans })}</p>}
        </DeleteRecord>
      )}
    </DangerZone>
  );
}
