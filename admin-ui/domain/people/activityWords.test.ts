import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nounOf, piecesOf, placeholders, sentenceKey, spokenDetails } from './activityWords.ts';

test('names stand out in a sentence and are never read as markup', () => {
  const { who, what } = placeholders;
  assert.deepEqual(piecesOf(`${who} published ${what}`, { who: 'Ines', what: '<b>Till</b> {{who}}', screen: '' }), [
    { text: 'Ines', name: true },
    { text: ' published ', name: false },
    { text: '<b>Till</b> {{who}}', name: true },
  ]);
});

test('every action has a sentence key and an icon, including unknown actions', () => {
  assert.equal(sentenceKey('user.sign_in_failed'), 'user_sign_in_failed');
  assert.equal(nounOf('user.sign_in_failed'), 'problem');
  assert.deepEqual(['chain.incident', 'chain.left', 'store.created'].map(nounOf), ['problem', 'store', 'store']);
  assert.equal(nounOf('something.new'), 'screen');
});

test('only role, scope, alert kind and content count of an entry are translated, and names are left as they are', () => {
  const say = {
    role: (code: string) => code.replace('workspace_', '').toUpperCase(),
    scope: (code: string) => code.toUpperCase(),
    alert: (kind: string) => `<${kind}>`,
    contents: (count: number) => `${count} Inhalte`,
  };
  assert.equal(
    spokenDetails('invite.created', 'jonas@store.test (workspace_editor)', say),
    'jonas@store.test (EDITOR)',
  );
  assert.equal(
    spokenDetails('organization.role_changed', 'jonas@store.test (org_admin)', say),
    'jonas@store.test (ORG_ADMIN)',
  );
  assert.equal(spokenDetails('token.created', 'Till (read)', say), 'Till (READ)');
  assert.equal(spokenDetails('token.created', 'read (mine)', say), 'read (mine)');
  assert.equal(spokenDetails('playlist.created', 'Till (read)', say), 'Till (read)');
  assert.equal(spokenDetails('alert.rule_changed', 'screen_cpu', say), '<screen_cpu>');
  // Older servers wrote "1 contents". It is translated like "1 content".
  for (const said of ['1 content', '1 contents'])
    assert.equal(spokenDetails('workspace.exported', said, say), '1 Inhalte');
  assert.equal(spokenDetails('content.created', '3 contents', say), '3 contents');
});
