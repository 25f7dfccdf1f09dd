import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Store } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ChainLink,
  leaveChain,
  letHeadquarters,
  letHeadquartersUpdate,
} from '../../../shared/contract/headquarters/chain.ts';
import { chainQuery } from '../../api/chain/chain.ts';
import { chainTransferQuery, chainTransfers } from '../../api/chain/transferFiles.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { useMe } from '../../api/session/me.ts';
import { Switch } from '../../components/choices/Choices.tsx';
import { Button, ButtonLink } from '../../components/controls/Button.tsx';
import { DangerZone } from '../../components/frame/DangerZone.tsx';
import { Facts } from '../../components/frame/Facts.tsx';
import { Badge, Bone, Notice, Page, Section } from '../../components/frame/Page.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { Incidents } from '../../domain/chain/Incidents.tsx';
import { TransferFiles } from '../../domain/chain/TransferFiles.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { ConfirmEdit } from '../../domain/saving/ConfirmEdit.tsx';
import { readableFingerprint } from '../../domain/screens/fingerprint.utils.ts';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { EnrolForm } from './EnrolForm.tsx';
import { Fetching } from './Fetching.tsx';
import { MayField } from './MayField.tsx';
import { useHeadquartersData } from './useHeadquartersData.ts';

/** Page about the workspace's connection to headquarters, and how many plays headquarters has received. */
export function HeadquartersPage() {
  const { t } = useTranslation();
  const { query, isHeadquarters } = useHeadquartersData();
  const state = query.data;
  return (
    <Page title={t('chain.title')} lead={t('chain.lead')} narrow>
      {isHeadquarters && (
        <Notice
          tone="info"
          title={t('chain.isHeadquarters')}
          actions={
            <ButtonLink to="/stores" size="small" icon={Store}>
              {t('chain.toStores')}
            </ButtonLink>
          }
        >
          {t('chain.isHeadquartersHelp')}
        </Notice>
      )}
      <Unanswered query={query} bones={<Bone height="16rem" radius="var(--r-l)" />} />
      {state && !state.link && <EnrolForm isHeadquarters={isHeadquarters} />}
      {state?.link && <Link link={state.link} />}
      {state?.link && <StoreTransferFiles />}
      {state?.link && <Fetching link={state.link} />}
      {state?.link && <Visits link={state.link} />}
      {state?.link && <Updates link={state.link} />}
      {state && (
        <Section title={t('chain.own')} lead={t('chain.ownHelp')}>
          <div className="card pad">
            <Facts facts={[[t('chain.ownFingerprint'), readableFingerprint(state.fingerprint)]]} />
          </div>
        </Section>
      )}
      {state?.link && <Leave link={state.link} />}
    </Page>
  );
}

const toneOfLine = { starting: undefined, up: 'good', down: 'bad' } as const;

function Link({ link }: { link: ChainLink }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const heard = link.heard_at === null ? '' : t('chain.upHelp', { ago: format.ago(link.heard_at, now) });
  return (
    <>
      {link.by_file && (
        <Notice tone="info" title={t('chain.byFile')}>
          {t('chain.byFileHelp')}
        </Notice>
      )}
      {link.line === 'down' && !link.by_file && (
        <Notice
          tone="warn"
          title={
            link.heard_at === null
              ? t('chain.downNever')
              : t('chain.downSince', { when: format.dateTime(link.heard_at) })
          }
        >
          {[link.trouble && worded(link.trouble), t('chain.downHelp')].filter(Boolean).join(' ')}
        </Notice>
      )}
      {link.line !== 'down' && link.trouble !== null && <Notice tone="warn" title={worded(link.trouble)} />}
      <Section
        title={link.headquarters}
        actions={
          <>
            <ButtonLink to="/schedule/headquarters" size="small">
              {t('held.open')}
            </ButtonLink>
            <Badge tone={link.by_file ? undefined : toneOfLine[link.line]} dot>
              {t(`chain.line.${link.line}`)}
            </Badge>
          </>
        }
        lead={link.line === 'starting' ? t('chain.startingHelp') : link.line === 'up' && heard}
      >
        <div className="card pad">
          <Facts
            facts={[
              [t('chain.name'), link.name],
              [t('common.address'), link.address],
              [t('chain.waiting'), link.waiting === 0 ? t('chain.noneWaiting') : format.number(link.waiting)],
              [t('chain.delivered'), t('chain.deliveredSince', { count: link.delivered })],
              [
                t('chain.enrolledOn'),
                t('chain.enrolledBy', { date: format.dateTime(link.enrolled_at), name: link.enrolled_by }),
              ],
              [t('chain.hqFingerprint'), readableFingerprint(link.fingerprint)],
            ]}
          />
        </div>
      </Section>
      {link.incidents.length > 0 && (
        <Section title={t('chain.incidents')} lead={t('store.incidentsLead')}>
          <Incidents incidents={link.incidents} />
        </Section>
      )}
    </>
  );
}

function StoreTransferFiles() {
  const { t } = useTranslation();
  const query = useQuery(chainTransferQuery);
  return (
    <TransferFiles
      query={query}
      actions={chainTransfers}
      topics={['chain']}
      lead={t('sticks.leadStore')}
      write={t('sticks.writeBack')}
      cannot={t('sticks.cannot')}
      mayChange
    />
  );
}

/** Setting whether users of headquarters may open the store's admin window, and with which highest role. */
function Visits({ link: { may } }: { link: ChainLink }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const allow = useEdit({
    topics: ['chain'],
    oneAtATime: 'chain-may',
    run: (next: ChainLink['may']) => client.call(letHeadquarters, { body: { may: next } }),
    done: (state) => queries.setQueryData(chainQuery.queryKey, state),
    said: () => t('chain.maySaved'),
  });
  return (
    <Section title={t('chain.visits')} lead={t('chain.visitsLead')}>
      <div className="card pad">
        <MayField may={allow.isPending ? allow.variables : may} onChange={(next) => allow.mutate(next)} />
      </div>
    </Section>
  );
}

/** Setting whether headquarters may update this server. */
function Updates({ link: { lets_update: lets } }: { link: ChainLink }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const isAdmin = useMe().is_platform_admin;
  const allow = useEdit({
    topics: ['chain'],
    oneAtATime: 'chain-updates',
    run: (next: boolean) => client.call(letHeadquartersUpdate, { body: { lets_update: next } }),
    done: (state) => queries.setQueryData(chainQuery.queryKey, state),
    said: () => t('chain.maySaved'),
  });
  return (
    <Section title={t('chain.updates')} lead={t('chain.updatesLead')}>
      <div className="card pad">
        <Switch
          isSelected={allow.isPending ? allow.variables : lets === 1}
          onChange={(next) => allow.mutate(next)}
          isDisabled={!isAdmin}
          hint={isAdmin ? t('chain.letsUpdateHint') : t('chain.updatesAdmin')}
        >
          {t('chain.letsUpdate')}
        </Switch>
      </div>
    </Section>
  );
}

function Leave({ link }: { link: ChainLink }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <DangerZone title={t('chain.leaveTitle')} lead={t('chain.leaveLead')}>
      <Button variant="danger-quiet" onPress={() => setAsking(true)}>
        {t('chain.leave')}
      </Button>
      {asking && (
        <ConfirmEdit
          topics={['chain']}
          run={() => client.call(leaveChain)}
          said={() => t('chain.left')}
          title={t('chain.leaveAsk', { name: link.headquarters })}
          confirm={t('chain.leave')}
          danger
          onClose={() => setAsking(false)}
        >
          <p>{t('chain.leaveEffects')}</p>
          {link.waiting > 0 && <p>{t('chain.leaveWaiting', { count: link.waiting })}</p>}
          <p>{t('chain.leaveBack')}</p>
        </ConfirmEdit>
      )}
    </DangerZone>
  );
}
