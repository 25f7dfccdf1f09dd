import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TypeAhead } from './typeAhead.ts';

const open = () => {
  const target = new EventTarget();
  const press = (key: string, held: object = {}) => {
    const event = Object.assign(new Event('keydown', { cancelable: true }), { key, ...held });
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };
  return { ahead: new TypeAhead(target as unknown as Window), press };
};

test('letters that are typed before the field exists are captured in order and reach no other element', () => {
  const { ahead, press } = open();
  assert.equal(press('a'), false);
  ahead.begin();
  assert.equal(press('W'), true);
  for (const key of ['i', ' ', 'ß', '😀', 'x', 'Backspace']) press(key);
  assert.equal(ahead.end(), 'Wi ß😀');
  assert.equal(press('n'), false, 'then they go where they belong');
  assert.equal(ahead.end(), '');
});

test('shortcuts and keys that are not letters pass through', () => {
  const { ahead, press } = open();
  ahead.begin();
  for (const key of ['Escape', 'Tab', 'ArrowDown', 'Shift', 'F5']) assert.equal(press(key), false, key);
  assert.equal(press('k', { ctrlKey: true }), false);
  assert.equal(ahead.end(), '');
});

test('second start of capturing discards earlier keys', () => {
  const { ahead, press } = open();
  ahead.begin();
  press('a');
  ahead.begin();
  press('b');
  assert.equal(ahead.end(), 'b');
});
