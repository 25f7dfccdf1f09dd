import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PROBLEMS } from '../../../shared/contract/problems.ts';
import type { Connections } from '../../../shared/contract/server/server.ts';
import type { ServerStatus, Storage, UpkeepSettings } from '../../../shared/contract/server/upkeep.ts';
import { useNameOfPage } from '../../api/editing/pageTitle.ts';
import { copyText } from '../../api/requests/copy.ts';
import { isFirstAsked } from '../../api/requests/firstAsked.ts';
import { connectionsQuery, serverStatusQuery, upkeepQuery } from '../../api/server.ts';
import { CopyField } from '../../components/fields/CopyField.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Facts } from '../../components/frame/Facts.tsx';
import { Bone, Notice, Page } from '../../components/frame/Page.tsx';
import { Exchange } from '../../domain/records/Exchange.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { readableFingerprint } from '../../domain/screens/fingerprint.utils.ts';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { DoubtedClock } from './DoubtedClock.tsx';
import { Https } from './Https.tsx';
import { Mail } from './Mail.tsx';
import { NameAndRegistration, Names } from './NameAndRegistration.tsx';
import { Notices } from './Notices.tsx';
import { Providers } from './Providers.tsx';
import { ServerCard } from './ServerCard.tsx';
import { type ServerPage as PageName, pageOf, partId, serverPageNames, serverPages } from './server.parts.ts';
import { diskParts, hostsIn } from './server.utils.ts';
import { SettingsFormBox, WholeField } from './UpkeepFields.tsx';
import { useConnectionsForm, useUpkeepForm } from './useSettingsForm.ts';
import '../../components/lists/ListRow.css';
import './server.css';

/** Page about the server: its state, addresses, retention times, and notices. */
export function ServerPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('server.title')} lead={t('server.lead')} narrow>
      <Everything />
    </Page>
  );
}

function Everything() {
  const { t } = useTranslation();
  const query = useQuery(serverStatusQuery);
  const upkeepAsked = useQuery(upkeepQuery);
  const connectionsAsked = useQuery(connectionsQuery);
  const [status, upkeep, connections] = [query.data, upkeepAsked.data, connectionsAsked.data];
  const { part } = useSearch({ from: '/shell/tabs/settings/server' });
  const page = pageOf(part);
  useNameOfPage(t(`server.pages.${page}`));
  const isThere = status !== undefined && upkeep !== undefined && connections !== undefined;
  useEffect(() => {
    // Scrolls to the section in the address when all sections are loaded, since sections above would move it when they
    // arrive. The first section is at the top anyway.
    const found = serverPages[page].find((one) => one === part);
    if (isThere && found && found !== serverPages[page][0]) document.getElementById(partId(found))?.scrollIntoView();
  }, [isThere, page, part]);
  // All sections appear at once: a section that arrives later would move sections that the user is reading.
  if ([query, upkeepAsked, connectionsAsked].some(isFirstAsked))
    return ['8rem', '20rem', '14rem'].map((height) => <Bone key={height} height={height} radius="var(--r-l)" />);
  return (
    <>
      <ServerContents current={page} />
      <Unanswered query={query} />
      {status && <DoubtedClock clock={status.clock} />}
      {status?.problems
        .filter(({ code }) => code !== 'clock_doubtful')
        .map((problem) => (
          <Notice
            key={problem.text}
            tone={PROBLEMS[problem.code].severity}
            title={t(`server.problems.${problem.code}`)}
          >
            {worded(problem.text)}
          </Notice>
        ))}
      {page === 'overview' && status && (
        <>
          <ServerFacts status={status} />
          <StorageUse storage={status.storage} />
        </>
      )}
      {page === 'names' && (
        <>
          <NameAndRegistration />
          <Names />
          {status && <Https status={status} />}
        </>
      )}
      {page === 'keeping' && upkeep && <Keeping settings={upkeep} />}
      {page === 'exchange' && (
        <ServerCard part="exchange" title={t('server.parts.exchange')} lead={t('exchange.lead')}>
          <Exchange />
        </ServerCard>
      )}
      {page === 'notices' && upkeep && <Notices settings={upkeep} />}
      {page === 'mail' && connections && <Mail settings={connections} />}
      {page === 'providers' && connections && <Providers settings={connections} />}
      {page === 'hosts' && connections && <RemoteHosts settings={connections} />}
      {page === 'log' && status && <LogTail log={status.log} />}
    </>
  );
}

/** Links to the other pages of the server's settings. */
function ServerContents({ current }: { current: PageName }) {
  const { t } = useTranslation();
  return (
    <nav className="server-contents" aria-label={t('server.contents')}>
      {serverPageNames.map((page) => (
        <Link
          key={page}
          to="/settings/server"
          search={{ part: serverPages[page][0] }}
          className="server-contents-link"
          {...(page === current && { 'aria-current': 'page' })}
        >
          {t(`server.pages.${page}`)}
        </Link>
      ))}
    </nav>
  );
}

function ServerFacts({ status }: { status: ServerStatus }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts: readonly (readonly [string, string])[] = [
    [
      t('server.version'),
      t('server.versionOn', { version: status.version, node: status.node_version, platform: status.platform }),
    ],
    [t('server.runningFor'), format.span(status.uptime_seconds)],
    [
      t('nav.screens'),
      t('server.screensOnline', {
        online: format.number(status.screens_online),
        total: format.number(status.screens_total),
      }),
    ],
    [t('server.memory'), format.bytes(status.memory_bytes)],
    [t('server.fingerprint'), readableFingerprint(status.fingerprint)],
  ];
  return (
    <ServerCard part="reach" title={t('server.parts.reach')} lead={t('server.reachLead')}>
      {status.addresses.map((address, i) => (
        <CopyField
          key={address}
          label={i === 0 ? t('common.address') : t('server.otherAddress')}
          value={address}
          onCopy={copyText}
        />
      ))}
      <Facts facts={facts} />
    </ServerCard>
  );
}

function StorageUse({ storage }: { storage: Storage }) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = diskParts(storage);
  const { growth_bytes_per_day: growth, full_in_days: fullIn } = storage;
  return (
    <ServerCard
      part="storage"
      title={t('server.storage')}
      lead={t('server.storageLead', {
        free: format.bytes(storage.free_bytes),
        total: format.bytes(storage.total_bytes),
      })}
    >
      <div className="disk" aria-hidden>
        {parts
          .filter(({ bytes }) => bytes > 0)
          .map(({ key, bytes }) => (
            <span
              key={key}
              className={`disk-part ${key}`}
              style={{ width: `${(bytes / storage.total_bytes) * 100}%` }}
            />
          ))}
      </div>
      <ul className="disk-legend">
        {parts.map((part) => (
          <li key={part.key}>
            <span className={`disk-dot ${part.key}`} aria-hidden />
            {t(`server.disk.${part.key}`)}
            <strong>{format.bytes(part.bytes)}</strong>
          </li>
        ))}
      </ul>
      <p className="note">
        {growth === null ? t('server.growthUnknown') : t('server.growth', { bytes: format.bytes(Math.max(0, growth)) })}{' '}
        {fullIn !== null && t('server.fullIn', { count: Math.round(fullIn) })}
      </p>
      <p className="note path">{storage.path}</p>
    </ServerCard>
  );
}

function Keeping({ settings }: { settings: UpkeepSettings }) {
  const { t } = useTranslation();
  const form = useUpkeepForm(settings);
  return (
    <ServerCard part="keeping" title={t('server.keeping')} lead={t('server.keepingLead')}>
      <SettingsFormBox form={form}>
        <div className="server-fields">
          <WholeField form={form} name="plays_days" label={t('server.playsDays')} hint={t('server.playsDaysHint')} />
          <WholeField
            form={form}
            name="telemetry_days"
            label={t('server.telemetryDays')}
            hint={t('server.telemetryDaysHint')}
          />
          <WholeField form={form} name="activity_days" label={t('nav.activity')} />
          <WholeField form={form} name="logs_days" label={t('server.disk.logs')} />
        </div>
      </SettingsFormBox>
    </ServerCard>
  );
}

/** The end of the server's log, newest entry first, since users look for a recent problem. */
function LogTail({ log }: { log: ServerStatus['log'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const time = (at: string) => {
    const ms = Date.parse(at);
    return Number.isNaN(ms) ? at : `${format.date(ms / 1000)}, ${format.time(ms / 1000, true)}`;
  };
  return (
    <ServerCard part="log" title={t('server.parts.log')} lead={t('server.logLead')}>
      {log.length === 0 ? (
        <p className="note">{t('server.logEmpty')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <ol className="log" tabIndex={0} aria-label={t('server.parts.log')}>
          {[...log].reverse().map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be written in one millisecond
            <li key={`${line.at}${i}`} className={line.level}>
              <time>{time(line.at)}</time> <span className="log-level">{line.level}</span> {line.message}
            </li>
          ))}
        </ol>
      )}
    </ServerCard>
  );
}

/**
 * Section for hosts in the local network from which contents may be fetched. Hosts on the internet need no
 * permission.
 */
function RemoteHosts({ settings }: { settings: Connections }) {
  const { t } = useTranslation();
  const form = useConnectionsForm(settings);
  const [typed, setTyped] = useState('');
  const hosts = form.now.allowed_hosts;
  // Shows the typed text while it means the same hosts as the draft, so that an empty last line stays. Otherwise the
  // value was discarded or changed elsewhere and is shown as it is.
  const value = hostsIn(typed).join() === hosts.join() ? typed : hosts.join('\n');
  return (
    <ServerCard part="hosts" title={t('server.parts.hosts')} lead={t('server.hostsLead')}>
      <SettingsFormBox form={form}>
        <TextField
          multiline
          label={t('server.hostsField')}
          hint={t('server.hostsHint')}
          value={value}
          onChange={(next) => {
            setTyped(next);
            form.set({ allowed_hosts: hostsIn(next) });
          }}
          spellCheck="false"
          autoComplete="off"
        />
      </SettingsFormBox>
      {settings.fixed_hosts.length > 0 && (
        <p className="note">{t('server.fixedHosts', { hosts: settings.fixed_hosts.join(', ') })}</p>
      )}
    </ServerCard>
  );
}
