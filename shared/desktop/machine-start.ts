/**
 * What makes a system start a program for whoever signs in: the texts that it reads. All of them start a screen's
 * launcher in plain Node, which alone knows what there is to be started and when it has to come back.
 */
import { windowsArgument, xml } from './system-words.ts';

export interface Start {
  readonly program: string;
  readonly args: readonly string[];
}

/** Vitrine's folder in the scheduler, and the task in it. */
export const TASK = '\\Vitrine\\Screen';
/** All who sign in, whatever the language of Windows calls them. */
const USERS = 'S-1-5-32-545';

/**
 * A task of Windows, in its own words (schtasks /XML). Node is a program of the console: conhost keeps its window from
 * the screen, and does not hand on how it ended (microsoft/terminal#17178), so that the scheduler cannot know that it
 * has to be started again. It tries every minute instead, and leaves one that runs alone. Priority 5 is that of
 * programs that a person starts; tasks have 7, below everything else.
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

/** A LaunchAgent of macOS, for everybody's sessions. */
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
 * Of an `Exec` line: quotes first, then what every value of such a file says with a backslash, then `%`, which stands
 * for files.
 */
const desktopQuoted = (text: string): string =>
  `"${text.replace(/(["\\$\x60])/g, '\\$1')}"`.replaceAll('\\', '\\\\').replaceAll('%', '%%');

/** An entry of XDG autostart. */
export const autostartEntry = ({ program, args }: Start): string =>
  `[Desktop Entry]\nType=Application\nName=Vitrine\nExec=${[program, ...args].map(desktopQuoted).join(' ')}\nX-GNOME-Autostart-enabled=true\n`;

/** Of a unit: `%` is systemd's own, and `$` in what comes after the program. */
const unitQuoted = (text: string): string => `"${text.replace(/(["\\])/g, '\\$1').replaceAll('%', '%%')}"`;

export const USER_UNIT = 'vitrine-screen.service';

/** A unit of each user's systemd, which starts the screen again however it ends, and ends it with the session. */
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
 * By the desktop, which knows where the display is: many tell nobody else, and then a unit of its own accord would
 * start too early.
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
