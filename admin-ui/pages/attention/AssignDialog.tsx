import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Alert, AlertKind } from '../../../shared/contract/server/alerts.ts';
import { meQuery } from '../../api/session/me.ts';
import { membersQuery, usersQuery } from '../../api/session/people.ts';
import { Select } from '../../components/choices/Select.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { Bone } from '../../components/frame/Page.tsx';
import { useAlertName } from './alertWords.ts';

/** The alerts to assign: one alert, or all alerts of a kind. */
export interface Given {
  readonly kind: AlertKind;
  readonly alert?: Alert;
  /** Number of alerts of the kind. */
  readonly count?: number;
}

interface Carer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/**
 * Returns the users to whom an alert can be assigned, sorted by name: administrators for alerts of the server,
 * otherwise members of the workspace.
 */
const useCarers = (kind: AlertKind): Carer[] | undefined => {
  const workspaceId = useQuery(meQuery).data?.current_workspace_id ?? '';
  const isServer = kind === 'server';
  const members = useQuery({ ...membersQuery(workspaceId), enabled: !isServer && workspaceId !== '' }).data;
  const users = useQuery({ ...usersQuery, enabled: isServer }).data;
  const found = isServer
    ? users?.filter(({ role }) => role === 'platform_admin')
    : members?.map(({ user_id: id, ...member }) => ({ id, ...member }));
  return found?.toSorted((a, b) => a.name.localeCompare(b.name));
};

type AssignDialogProps = { of: Given; onGive: (userId: string | null) => void; onClose: () => void };

/** Dialog that assigns alerts to a user, who can also be notified by mail. */
export function AssignDialog({ of, onGive, onClose }: AssignDialogProps) {
  const { t } = useTranslation();
  const carers = useCarers(of.kind);
  const [chosen, setChosen] = useState<string | null>(of.alert?.assigned_to ?? null);
  const nameOf = useAlertName();
  const name = of.alert ? nameOf(of.alert) : t(`attention.kind.${of.kind}.name`);
  const give = (userId: string | null) => {
    onGive(userId);
    onClose();
  };
  return (
    <Dialog
      title={t('attention.giveTitle', { name })}
      onClose={onClose}
      onSubmit={chosen === null ? undefined : () => give(chosen)}
      actions={
        <>
          {of.alert?.assigned_to && <Button onPress={() => give(null)}>{t('attention.giveNobody')}</Button>}
          <Button variant="primary" isDisabled={chosen === null} onPress={() => give(chosen)}>
            {t('attention.giveDo')}
          </Button>
        </>
      }
    >
      {carers ? (
        <Select
          label={t('attention.giveWho')}
          hint={t('attention.giveHint')}
          placeholder={t('attention.giveChoose')}
          value={chosen}
          onChange={setChosen}
          options={carers.map(({ id, name: label, email }) => ({ value: id, label, hint: email }))}
        />
      ) : (
        <Bone height="4rem" />
      )}
    </Dialog>
  );
}
