/** Our additions to electron-builder's Windows installer, compiled together with its templates if NSIS is installed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { LOGIN_NAME } from '../desktop/login-item.ts';

const OURS = join(import.meta.dirname, 'installer.nsh');
const TEMPLATES = join(
  dirname(createRequire(import.meta.url).resolve('app-builder-lib/package.json')),
  'templates/nsis',
);
const hasNsis = spawnSync('makensis', ['-VERSION']).error === undefined;

/**
 * Script in electron-builder's order (NsisTarget.computeCommonInstallerScriptHeader, installer.nsi, installSection.nsh,
 * uninstaller.nsh), without the plugins that electron-builder downloads.
 */
const script = (output: string, isUninstaller: boolean) => `
Unicode true
!addincludedir "${join(TEMPLATES, 'include')}"
${isUninstaller ? '!define BUILD_UNINSTALLER' : ''}
!define INSTALL_MODE_PER_ALL_USERS
!define PRODUCT_NAME "Vitrine"
!define APP_EXECUTABLE_FILENAME "Vitrine.exe"
!define APP_INSTALLER_STORE_FILE "vitrine-updater\\installer.exe"
!macro _isUpdated _a _b _t _f
  StrCmp "$R9" "true" \`\${_t}\` \`\${_f}\`
!macroend
!define isUpdated \`"" isUpdated ""\`
!include "${OURS}"
!include "LogicLib.nsh"
!include "${join(TEMPLATES, 'include/allowOnlyOneInstallerInstance.nsh')}"
LangString appRunning 1033 "x"
LangString appClosing 1033 "x"
LangString appCannotBeClosed 1033 "x"
Name "Vitrine"
OutFile "${output}"
RequestExecutionLevel admin
Section "install"
${isUninstaller ? '  WriteUninstaller "$INSTDIR\\uninstall.exe"' : '  !insertmacro CHECK_APP_RUNNING\n  !insertmacro customInstall'}
SectionEnd
${
  isUninstaller
    ? `Function un.checkAppRunning
  !insertmacro CHECK_APP_RUNNING
FunctionEnd
Function un.onInit
  Call un.checkAppRunning
FunctionEnd
Section "un.Uninstall"
  !insertmacro customUnInstall
SectionEnd`
    : ''
}
`;

const compile = (t: TestContext, isUninstaller: boolean) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const output = join(folder, 'vitrine.exe');
  // Treats warnings as errors, as electron-builder does.
  const { status, stdout, stderr } = spawnSync('makensis', ['-WX', '-INPUTCHARSET', 'UTF8', '-'], {
    input: script(output, isUninstaller),
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout.slice(-3_000) + stderr);
  assert.ok(existsSync(output));
};

test('the installer compiles with electron-builder’s macros', { skip: !hasNsis && 'needs makensis' }, (t) =>
  compile(t, false),
);
test('the uninstaller compiles with electron-builder’s macros', { skip: !hasNsis && 'needs makensis' }, (t) =>
  compile(t, true),
);

test('only macros that electron-builder looks for are defined, and each macro is used', () => {
  const text = readFileSync(OURS, 'utf8');
  const templates = [
    'installer.nsi',
    'installSection.nsh',
    'uninstaller.nsh',
    'include/allowOnlyOneInstallerInstance.nsh',
  ]
    .map((file) => readFileSync(join(TEMPLATES, file), 'utf8'))
    .join('\n');
  for (const [, name] of text.matchAll(/^!macro (\w+)/gm))
    assert.ok(
      name!.startsWith('vitrine')
        ? text.includes(`!insertmacro ${name}`)
        : new RegExp(`!ifmacrodef ${name}\\s`).test(templates),
      name,
    );
});

test('the uninstaller deletes the registry value that the tray creates', () => {
  assert.ok(readFileSync(OURS, 'utf8').includes(`CurrentVersion\\Run" "${LOGIN_NAME}"`));
});
