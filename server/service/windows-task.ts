/**
 * Describes a Windows scheduled task that starts with the machine. Pure functions. Node cannot talk to the Windows
 * service manager, which ends services that do not answer. Wrappers on the registry that could (node-windows, winsw)
 * contain old unsigned programs. So the task scheduler starts Node as a service user, and a small program
 * (build/windows-service.ts) watches the server, since the scheduler's own "restart on failure" ignores exit codes.
 */
import { win32 } from 'node:path';
import { windowsArgument, xml } from '../../shared/desktop/system-words.ts';
import type { ServerOptions, Step, UnitFile } from './service-options.ts';

export const TASK = 'Vitrine Server';
/** Named pipe through which only administrators and the service itself may stop the server. */
export const STOP_PIPE = '\\\\.\\pipe\\vitrine-server';

/** Well-known security identifiers (SIDs), because Windows translates the names of users. */
const [SYSTEM, ADMINISTRATORS, LOCAL_SERVICE, USERS] = ['*S-1-5-18', '*S-1-5-32-544', '*S-1-5-19', '*S-1-5-32-545'];

const folderOf = (options: Pick<ServerOptions, 'note'>): string => win32.dirname(win32.dirname(options.note));
const fileOf = (options: Pick<ServerOptions, 'note'>): string => win32.join(folderOf(options), 'task.xml');

export const serverUnits = (options: ServerOptions): readonly UnitFile[] => {
  const { node, script, port, data, note } = options;
  const words = [script, '--port', String(port), '--data', data, '--note', note];
  const text = `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Author>Vitrine</Author>
    <Description>The Vitrine server: serves the screens of this store, whether anybody is signed in or not.</Description>
  </RegistrationInfo>
  <Triggers>
    <BootTrigger>
      <Enabled>true</Enabled>
    </BootTrigger>
    <TimeTrigger>
      <Repetition>
        <Interval>PT1M</Interval>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
      <StartBoundary>2020-01-01T00:00:00</StartBoundary>
      <Enabled>true</Enabled>
    </TimeTrigger>
  </Triggers>
  <Principals>
    <Principal id="Service">
      <UserId>${LOCAL_SERVICE!.slice(1)}</UserId>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <AllowHardTerminate>true</AllowHardTerminate>
    <StartWhenAvailable>true</StartWhenAvailable>
    <RunOnlyIfNetworkAvailable>false</RunOnlyIfNetworkAvailable>
    <IdleSettings>
      <StopOnIdleEnd>false</StopOnIdleEnd>
      <RestartOnIdle>false</RestartOnIdle>
    </IdleSettings>
    <AllowStartOnDemand>true</AllowStartOnDemand>
    <Enabled>true</Enabled>
    <Hidden>false</Hidden>
    <RunOnlyIfIdle>false</RunOnlyIfIdle>
    <WakeToRun>false</WakeToRun>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>999</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Service">
    <Exec>
      <Command>${xml(windowsCommand(node))}</Command>
      <Arguments>${xml(words.map(windowsArgument).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
  return [{ path: fileOf(options), text }];
};

/** Quotes a path with blanks. Otherwise the scheduler would start the first word if such a program exists. */
const windowsCommand = (path: string): string => (path.includes(' ') ? `"${path}"` : path);

/** Returns UTF-16 with a byte order mark, which the scheduler needs. */
export const taskBytes = (text: string): Buffer => Buffer.from(`\uFEFF${text.replaceAll('\n', '\r\n')}`, 'utf16le');

interface WindowsPrograms {
  readonly schtasks: string;
  readonly icacls: string;
  readonly powercfg: string;
}

/**
 * Returns full paths of Windows programs, because Windows searches a name without a path in the current folder first.
 */
export const windowsPrograms = (env: Readonly<Record<string, string | undefined>>): WindowsPrograms => {
  const root = [env['SystemRoot'], env['SYSTEMROOT']].find((each) => each && /^[a-z]:\\[^\\/]/i.test(each));
  const folder = win32.join(root ?? 'C:\\Windows', 'System32');
  return {
    schtasks: win32.join(folder, 'schtasks.exe'),
    icacls: win32.join(folder, 'icacls.exe'),
    powercfg: win32.join(folder, 'powercfg.exe'),
  };
};

/** Lets other users read the installation record and the service note, but not the data. */
export const allow = (
  { data, note }: Pick<ServerOptions, 'data' | 'note'>,
  { icacls }: WindowsPrograms,
): readonly Step[] => {
  const of = (folder: string, ...more: readonly string[]): readonly Step[] => [
    { program: icacls, args: [folder, '/setowner', ADMINISTRATORS!, '/q'] },
    {
      program: icacls,
      args: [folder, '/inheritance:r', '/grant:r', `${SYSTEM}:(OI)(CI)F`, `${ADMINISTRATORS}:(OI)(CI)F`, ...more, '/q'],
    },
  ];
  return [
    ...of(folderOf({ note }), `${USERS}:(OI)(NP)RX`),
    ...of(win32.dirname(note), `${LOCAL_SERVICE}:(OI)(CI)M`, `${USERS}:(OI)(CI)RX`),
    ...of(data, `${LOCAL_SERVICE}:(OI)(CI)M`),
  ];
};

export const startServer = (
  options: Pick<ServerOptions, 'note' | 'maySleep'>,
  { schtasks, powercfg }: WindowsPrograms,
  now: boolean,
): readonly Step[] => [
  { program: schtasks, args: ['/create', '/tn', TASK, '/xml', fileOf(options), '/f'] },
  // Turns off sleep on mains power in the active power plan, because Node cannot ask Windows to stay awake.
  ...(options.maySleep
    ? []
    : ['standby-timeout-ac', 'hibernate-timeout-ac'].map(
        (which): Step => ({ program: powercfg, args: ['/change', which, '0'], mayFail: true }),
      )),
  ...(now ? [{ program: schtasks, args: ['/run', '/tn', TASK] }] : []),
];

/** Disables the task before the program is stopped, so that it does not start again within the minute. */
export const forbidStart = ({ schtasks }: WindowsPrograms): Step => ({
  program: schtasks,
  args: ['/change', '/tn', TASK, '/disable'],
  mayFail: true,
});
export const endServer = ({ schtasks }: WindowsPrograms): Step => ({
  program: schtasks,
  args: ['/end', '/tn', TASK],
  mayFail: true,
});
export const resumeServer = ({ schtasks }: WindowsPrograms): readonly Step[] => [
  { program: schtasks, args: ['/change', '/tn', TASK, '/enable'] },
  { program: schtasks, args: ['/run', '/tn', TASK] },
];
export const removeServer = ({ schtasks }: WindowsPrograms): readonly Step[] => [
  { program: schtasks, args: ['/delete', '/tn', TASK, '/f'], mayFail: true },
];
export const serverFiles = (note: string): readonly string[] => [fileOf({ note })];
