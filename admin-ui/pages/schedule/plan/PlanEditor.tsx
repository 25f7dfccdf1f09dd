import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { duplicatePlan } from '../../../../shared/contract/screens/plans.ts';
import { inForceQuery, planQuery } from '../../../api/plans.ts';
import { client } from '../../../api/requests/client.ts';
import { useCanWrite } from '../../../api/session/me.ts';
import { useMay } from '../../../api/session/rights.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/controls/Dialog.tsx';
import { Bone } from '../../../components/frame/Page.tsx';
import { QueryFailure } from '../../../domain/records/QueryFailure.tsx';
import { Hindered } from '../../../domain/saving/Hindered.tsx';
import { useDuplicate } from '../../../domain/saving/useDuplicate.ts';
import { type Draft, draftOf } from './form.utils.ts';
import { PlanDialog } from './PlanDialog.tsx';
import type { usePlanEdits } from './usePlanEdits.ts';

type PlanEditorProps = {
  /** Values of a new plan; undefined if no plan is being created. */
  making: Draft | undefined;
  /** Id of the plan in the address, or of one of its schedules, since other pages link to schedules. */
  shown: string | undefined;
  /** Id of the screen in whose calendar the schedules are shown. */
  screenId: string | undefined;
  edits: ReturnType<typeof usePlanEdits>;
  onClose: () => void;
};

const nothing = () => {};
const both = (first: () => void, second: () => void) => () => {
  first();
  second();
};

/** Opens the form over the calendar, for a new plan or for the plan in the address. */
export function PlanEditor({ making, shown, screenId, edits, onClose }: PlanEditorProps) {
  const canWrite = useCanWrite();
  if (!canWrite) return null;
  if (making) {
    return (
      <PlanDialog
        plan={null}
        initial={making}
        isPending={edits.create.isPending}
        onCreate={(body, done) => edits.create.mutate({ body, done: both(done, onClose) })}
        onChange={nothing}
        onDelete={nothing}
        onClose={onClose}
      />
    );
  }
  return shown === undefined ? null : (
    <Existing key={shown} shown={shown} screenId={screenId} edits={edits} onClose={onClose} />
  );
}

function Existing({ shown, screenId, edits, onClose }: Omit<PlanEditorProps, 'making' | 'shown'> & { shown: string }) {
  const { t } = useTranslation();
  const schedules = useQuery({ ...inForceQuery(screenId ?? ''), enabled: screenId !== undefined });
  const planId = schedules.data?.find(({ id }) => id === shown)?.plan_id ?? shown;
  const isKnown = screenId === undefined || !schedules.isPending;
  const query = useQuery({ ...planQuery(planId), enabled: isKnown });
  const { why } = useMay('plan', planId);
  const duplicate = useDuplicate({
    topics: ['plans', 'schedules'],
    run: (body) => client.call(duplicatePlan, { params: { id: planId }, body }),
    said: ({ title }) => ({ text: t('schedule.duplicated', { name: title }), detail: t('schedule.duplicatedHelp') }),
    to: ({ id }) => ({ to: '/schedule', search: (now) => ({ ...now, show: id }) }),
  });
  if (!query.data || why !== undefined) {
    return (
      <Dialog
        title={query.data?.plan.title || t('schedule.editTitle')}
        onClose={onClose}
        actions={<Button onPress={onClose}>{t('common.close')}</Button>}
      >
        <Hindered why={why} />
        {!query.data && (query.isError ? <QueryFailure query={query} /> : <Bone height="20rem" />)}
      </Dialog>
    );
  }
  const { plan, etag } = query.data;
  return (
    <PlanDialog
      plan={{ id: plan.id, etag }}
      initial={draftOf(plan)}
      isPending={edits.change.isPending}
      onCreate={nothing}
      onChange={(body, ifMatch, done) => edits.change.mutate({ id: plan.id, body, ifMatch, done: both(done, onClose) })}
      onDuplicate={() => duplicate.mutate()}
      onDelete={() => {
        edits.remove(plan);
        onClose();
      }}
      onClose={onClose}
    />
  );
}
