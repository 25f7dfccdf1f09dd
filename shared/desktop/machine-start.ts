/**
 * Files that make an operating system start a screen when a user signs in. All of them start the launcher of a screen
 * in plain Node. Only the launcher decides which version it starts, and when it restarts the version.
 */
import { windowsArgument, xml } from './system-words.ts';

export interface Start {
  readonly program: string;
  readonly args: readonly string[];
}

/** Path of the screen's task in the Windows task scheduler. */
export const TASK = '\\Vitrine\\Screen';
/** SID of all users, independent of the language of Windows. */
const USERS = 'S-1-5-32-545';

/**
 * Task of Windows in the format of schtasks /XML. Node is a console program. conhost hides its window, but does not
 * pass on its exit code (microsoft/terminal#17178), so the scheduler cannot know when to restart it. Instead, the task
 * starts every minute and does nothing while an instance is running. Priority 5 is the priority of programs that people
 * start; the default 7 of tasks is below everything else.
 */
export const taskXml = ({ program, args }: Start, conhost: string): string => `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Author>Vitrine</Author>
    <Description>Shows this screen's programme for whoever signs in.</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Repetition>
        <Interval>PT1M</Interval>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
      <Enabled>true</Enabled>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Users">
      <GroupId>${USERS}</GroupId>
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
    <AllowStartOnDemand>true</AllowStartOnDemand>
    <Enabled>true</Enabled>
    <Hidden>false</Hidden>
    <RunOnlyIfIdle>false</RunOnlyIfIdle>
    <WakeToRun>false</WakeToRun>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
  </Settings>
  <Actions Context="Users">
    <Exec>
      <Command>${xml(conhost)}</Command>
      <Arguments>${xml(['--headless', ...[program, ...args].map(windowsArgument)].join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`;

export const AGENT = 'org.vitrine.signage.screen';

/** Returns the LaunchAgent of macOS for the sessions of all users. */
export const launchAgent = ({ program, args }: Start): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${AGENT}</string>
  <key>ProgramArguments</key>
  <array>
${[program, ...args].map((each) => `    <string>${xml(each)}</string>\n`).join('')}  </array>
  <key>AssociatedBundleIdentifiers</key>
  <string>org.vitrine.signage</string>
  <key>LimitLoadToSessionType</key>
  <string>Aqua</string>
  <key>ProcessType</key>
  <string>Interactive</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>ThrottleInterval</key>
  <integer>10</integer>
</dict>
</plist>
`;

/**
 * Quotes a word of an `Exec` line: escapes quotes, then the backslashes (as in every value of such a file), then `%`,
 * which would stand for file names.
 */
const desktopQuoted = (text: string): string =>
  `"${text.replace(/(["\\$\x60])/g, '\\$1')}"`.replaceAll('\\', '\\\\').replaceAll('%', '%%');

/** Returns the entry for XDG autostart. */
export const autostartEntry = ({ program, args }: Start): string =>
  `[Desktop Entry]\nType=Application\nName=Vitrine\nExec=${[program, ...args].map(desktopQuoted).join(' ')}\nX-GNOME-Autostart-enabled=true\n`;

/** Quotes a word of a systemd unit. systemd replaces `%` in all words, and `$` in words after the program. */
const unitQuoted = (text: string): string => `"${text.replace(/(["\\])/g, '\\$1').replaceAll('%', '%%')}"`;

export const USER_UNIT = 'vitrine-screen.service';

/**
 * Returns the unit for the systemd of each user. systemd restarts the screen after every end, and ends it with the
 * session.
 */
export const userUnit = ({ program, args }: Start): string => `[Unit]
Description=Vitrine screen
PartOf=graphical-session.target
StartLimitIntervalSec=0

[Service]
ExecStart=${[unitQuoted(program), ...args.map((each) => unitQuoted(each).replaceAll('$', '$$$$'))].join(' ')}
Restart=always
RestartSec=3
# It stops in order within ten seconds.
TimeoutStopSec=15
KillMode=mixed
`;

/**
 * Starts the unit from the desktop session, which knows the display. Many desktops pass the display only to programs
 * that they start. A unit that systemd starts by itself would start before the display is known.
 */
export const sessionStart = ({ program, args }: Start): Start => ({
  program: '/bin/sh',
  args: [
    '-c',
    `systemctl --user import-environment DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_CURRENT_DESKTOP XDG_SESSION_TYPE DBUS_SESSION_BUS_ADDRESS 2>/dev/null; systemctl --user restart ${USER_UNIT} 2>/dev/null || exec "$0" "$@"`,
    program,
    ...args,
  ],
});
