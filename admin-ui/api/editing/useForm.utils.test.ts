import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, badRequest } from '../../../shared/contract/errors.ts';
import { createToken } from '../../../shared/contract/people/tokens.ts';
import { createInvite } from '../../../shared/contract/people/workspaces.ts';
import { issueOf, refusalOf } from './useForm.utils.ts';

test("field is reported as missing, too long or wrong by the contract's schema", () => {
  const tokenIssue = (name: string) => issueOf(createToken.body.safeParse({ name }).error, 'name');
  assert.deepEqual([' ', 'x'.repeat(101), 'a\u0000', 'Till'].map(tokenIssue), [
    'missing',
    'tooLong',
    'wrong',
    undefined,
  ]);
  const { error } = createInvite.body.safeParse({ email: 'somebody', role: 'workspace_editor' });
  assert.deepEqual([issueOf(error, 'email'), issueOf(error, 'role')], ['wrong', undefined]);
});

test('error of the server is assigned to the field that it names', () => {
  assert.deepEqual(refusalOf(badRequest('url: must be an address')), { url: 'must be an address' });
  assert.deepEqual(refusalOf(badRequest('config.title: is required')), { config: 'is required' });
  assert.equal(refusalOf(badRequest('The body is not valid')), undefined);
  assert.equal(refusalOf(new ApiError(409, 'name: is taken')), undefined, 'a conflict is of the whole');
});
