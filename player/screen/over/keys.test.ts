import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isForbidden } from './keys.ts';

/** Parses a combination such as `ctrl+shift+t`. */
const pressed = (combination: string): boolean => {
  const parts = combination.split('+');
  const key = parts.at(-1) || '+';
  const held = (name: string): boolean => parts.slice(0, -1).includes(name);
  return isForbidden({
    key,
    ctrl: held('ctrl'),
    alt: held('alt'),
    meta: held('meta'),
    shift: held('shift'),
    altGraph: held('altgr'),
  });
};

test('keys that leave, reload, zoom, search or print the page, or open windows, are forbidden', () => {
  const forbidden = [
    ...['F1', 'F3', 'F5', 'F6', 'F7', 'F10', 'F11', 'F12', 'alt+F4', 'ctrl+F4', 'ctrl+F5', 'shift+F5', 'shift+F10'],
    ...[
      'ctrl+r',
      'ctrl+R',
      'ctrl+shift+R',
      'ctrl+w',
      'ctrl+shift+W',
      'ctrl+t',
      'ctrl+n',
      'ctrl+q',
      'ctrl+shift+Q',
      'ctrl+p',
      'ctrl+s',
      'ctrl+o',
      'ctrl+u',
      'ctrl+f',
      'ctrl+g',
      'ctrl+l',
    ],
    ...[
      'ctrl+shift+I',
      'ctrl+shift+C',
      'ctrl+shift+A',
      'ctrl+shift+V',
      'ctrl+1',
      'ctrl+0',
      'ctrl++',
      'ctrl+-',
      'ctrl+Tab',
      'ctrl+PageDown',
      'ctrl+shift+Delete',
      'shift+Escape',
      'ctrl+Escape',
    ],
    ...[
      'alt+ArrowLeft',
      'alt+ArrowRight',
      'alt+Home',
      'alt+d',
      'alt+ ',
      'alt+Tab',
      'Alt',
      'ctrl+alt+Delete',
      'meta+ArrowLeft',
      'meta+r',
      'meta+w',
      'Meta',
      'ContextMenu',
    ],
    ...[
      'BrowserBack',
      'BrowserRefresh',
      'BrowserHome',
      'BrowserSearch',
      'LaunchMail',
      'MediaPlayPause',
      'PrintScreen',
      'Help',
      'Power',
    ],
  ];
  assert.deepEqual(
    forbidden.filter((key) => !pressed(key)),
    [],
  );
});

test('keys for typing, moving, selecting, correcting and copying are allowed', () => {
  const allowed = [
    ...[
      'a',
      'Z',
      'é',
      '7',
      ' ',
      '+',
      '漢',
      '😀',
      'shift+A',
      'altgr+@',
      'ctrl+alt+altgr+€',
      'alt+å',
      'Dead',
      'Process',
      'Unidentified',
    ],
    ...[
      'Enter',
      'Tab',
      'shift+Tab',
      'Escape',
      'Backspace',
      'Delete',
      'ArrowUp',
      'shift+ArrowLeft',
      'ctrl+ArrowLeft',
      'ctrl+shift+ArrowRight',
      'Home',
      'ctrl+End',
      'PageUp',
    ],
    ...[
      'ctrl+a',
      'ctrl+c',
      'ctrl+v',
      'ctrl+x',
      'ctrl+z',
      'ctrl+shift+Z',
      'ctrl+y',
      'meta+c',
      'ctrl+Backspace',
      'ctrl+Delete',
      'Shift',
      'Control',
      'CapsLock',
    ],
  ];
  assert.deepEqual(allowed.filter(pressed), []);
});
