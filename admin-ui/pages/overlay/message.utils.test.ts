import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Message, NewMessage, templateColors } from '../../../shared/contract/screens/messages.ts';
import { colorsOf, emptyDraft, hasContent, messageBody, placeOf } from './message.utils.ts';

const draft = emptyDraft([]);
const before = (template: Message['template'], background: string) =>
  ({ template, colors: { background, text: '#ffffff' } }) as Message;

test('message goes to all screens by default, and needs a text or a picture', () => {
  assert.deepEqual(draft.targets, [{ kind: 'all', id: '', name: '' }]);
  assert.deepEqual(
    [draft, { ...draft, title: ' ' }, { ...draft, text: 'x' }, { ...draft, picture: { id: 'a', name: 'A' } }].map(
      hasContent,
    ),
    [false, false, true, true],
  );
});

test('request body of a message has no text beside a picture, and no id for all screens', () => {
  const body = messageBody({ ...draft, title: ' New ', text: 'left over', picture: { id: 'p', name: 'P' } }, []);
  assert.deepEqual(NewMessage.parse(body), {
    template: 'notice',
    title: 'New',
    text: '',
    content_id: 'p',
    colors: templateColors.notice,
    position: 'full',
    duration: 300,
    targets: [{ kind: 'all' }],
  });
  const some = [{ kind: 'group' as const, id: 'g', name: 'Front' }];
  assert.deepEqual(messageBody({ ...draft, text: 'x', targets: some }, []).targets, [{ kind: 'group', id: 'g' }]);
});

test('alarm stays until it is withdrawn, and other messages stay for five minutes by default', () => {
  const said = (part: object) => messageBody({ ...draft, text: 'x', ...part }, []).duration;
  assert.deepEqual(
    [said({}), said({ template: 'alarm' }), said({ template: 'alarm', duration: 60 }), said({ template: 'offer' })],
    [300, 0, 60, 300],
  );
  assert.equal(said({ template: 'alarm', picture: { id: 'p', name: 'P' } }), 0, 'what the server is told is an alarm');
});

test('position and colours default to those of the template or of its last message', () => {
  assert.equal(placeOf(draft), 'bottom');
  assert.equal(placeOf({ ...draft, template: 'alarm' }), 'full');
  assert.equal(placeOf({ ...draft, template: 'alarm', position: 'top' }), 'top');
  const recent = [before('alarm', '#aa0000'), before('notice', '#00aa00'), before('notice', '#0000aa')];
  assert.equal(colorsOf(draft, recent).background, '#00aa00');
  assert.deepEqual(colorsOf({ ...draft, template: 'offer' }, recent), templateColors.offer);
  const own = { background: '#123456', text: '#ffffff' };
  assert.deepEqual(colorsOf({ ...draft, colors: own }, recent), own);
});
