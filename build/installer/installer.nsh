# What Vitrine adds to electron-builder's installer for Windows (its macros: templates/nsis of app-builder-lib). As little as can be: what is
# to be made and taken away is decided and done by "vitrine set-up" (server/cli/set-up.ts), which is tested, and which every system runs.
#
#   Setup.exe /S --role=player --server=http://192.168.1.10:8710 --code=ABC349      what is not said is asked when Vitrine is opened
#   "Uninstall Vitrine.exe" /allusers /S --delete-data                              without the last: what people have made stays

!include "LogicLib.nsh"
!include "FileFunc.nsh"
!include "getProcessInfo.nsh"
# Of the macros that look for what runs; without a macro of ours electron-builder declares it.
Var pid

!define VITRINE_NODE "$INSTDIR\resources\node\node.exe"
!define VITRINE_COMMANDS "$INSTDIR\resources\vitrine\server\cli\main.js"

# Leaves in $0 how it ended, and in $1 what it said. It reads the installer's own command line itself, and knows what is its own in it.
!macro vitrineSetUp ARGUMENTS
  ${GetParameters} $0
  System::Call 'kernel32::SetEnvironmentVariable(t "VITRINE_INSTALLER_LINE", t r0)'
  nsExec::ExecToStack '"${VITRINE_NODE}" "${VITRINE_COMMANDS}" set-up ${ARGUMENTS}'
  Pop $0
  Pop $1
!macroend

# Before files are replaced or removed: a task that starts every minute, and a service that comes back, would hold on to them. Then whatever
# a person has opened, as electron-builder does it.
!macro customCheckAppRunning
  ${if} ${FileExists} "${VITRINE_NODE}"
    !insertmacro vitrineSetUp "--stop"
    DetailPrint "$1"
  ${endIf}
  !insertmacro IS_POWERSHELL_AVAILABLE
  !insertmacro _CHECK_APP_RUNNING
!macroend

!macro customInstall
  # electron-builder keeps the whole installer for an updater that Vitrine has not.
  SetShellVarContext current
  Delete "$LOCALAPPDATA\${APP_INSTALLER_STORE_FILE}"
  SetShellVarContext all
  # At an update nothing is said, and the file says it.
  !insertmacro vitrineSetUp ""
  DetailPrint "$1"
  ${if} $0 != 0
    FileOpen $2 "$INSTDIR\set-up.log" w
    FileWrite $2 "$1"
    FileClose $2
    MessageBox MB_OK|MB_ICONEXCLAMATION "$1" /SD IDOK
    # For whoever installs many: it is there, but asks what it is.
    SetErrorLevel 2
  ${endIf}
!macroend

!macro customUnInstall
  ${ifNot} ${isUpdated}
    !insertmacro vitrineSetUp "--remove"
    DetailPrint "$1"
    # What people have chosen for themselves: the tray's "Start at login", of all who are signed in.
    StrCpy $0 0
    ${do}
      EnumRegKey $1 HKU "" $0
      ${if} $1 == ""
        ${break}
      ${endIf}
      DeleteRegValue HKU "$1\Software\Microsoft\Windows\CurrentVersion\Run" "Vitrine"
      IntOp $0 $0 + 1
    ${loop}
  ${endIf}
!macroend

!ifndef BUILD_UNINSTALLER
  # The old version, if it is still whole, starts again as it did.
  Function .onInstFailed
    ${if} ${FileExists} "${VITRINE_NODE}"
      !insertmacro vitrineSetUp ""
    ${endIf}
  FunctionEnd
!endif
