/** Declares each kind of revocation: when it is recorded, and how it is repeated on an older database. */

interface RevocationKind {
  readonly kind: string;
  /** Parts of the trigger: the statement that revokes, its condition, and the key and value that are recorded. */
  readonly on: string;
  readonly when: string;
  readonly key: string;
  readonly value?: string;
  /**
   * Epoch second after which the record is not needed, because the revoked thing would have expired even in a restored
   * backup.
   * @default as long as records
   * are kept
   */
  readonly until?: string;
  /** Inserting the same key again cancels the revocation. */
  readonly again?: { readonly on: string; readonly key: string };
  /** Query for the activity log: returns workspace_id and name of the thing that is about to be revoked, by @key. */
  readonly names?: string;
  /** Statement that repeats the revocation, by @key and @value. Does nothing if the row is missing. */
  readonly apply: string;
}

const exists = (table: string, id: string): string => `EXISTS (SELECT 1 FROM ${table} WHERE id = ${id})`;
const [first, second] = ["json_extract(@key, '$[0]')", "json_extract(@key, '$[1]')"];
/** SQL condition: the present role is higher than the recorded role. A repeated revocation only lowers roles. */
const isAbove = (role: string, other: string, lowest: string, middle: string): string => {
  const rank = (each: string) => `CASE ${each} WHEN '${lowest}' THEN 0 WHEN '${middle}' THEN 1 ELSE 2 END`;
  return `${rank(role)} > ${rank(other)}`;
};

/** Kinds of revocations for a membership of a workspace or organization, and for the role in it. */
const membership = (place: {
  table: string;
  parents: string;
  parent: string;
  lowest: string;
  middle: string;
  workspaces: string;
}): RevocationKind[] => {
  const { table, parents, parent, lowest, middle } = place;
  const kind = table.replaceAll('_', '-');
  const keyOf = (row: string) => `json_array(${row}.${parent}, ${row}.user_id)`;
  const of = `${parent} = ${first} AND user_id = ${second}`;
  const names = `SELECT w.id AS workspace_id, u.email AS name FROM workspaces w JOIN users u ON u.id = ${second} WHERE w.${place.workspaces} = ${first}`;
  return [
    {
      kind,
      on: `DELETE ON ${table}`,
      when: `${exists(parents, `OLD.${parent}`)} AND ${exists('users', 'OLD.user_id')}`,
      key: keyOf('OLD'),
      again: { on: table, key: keyOf('NEW') },
      names,
      apply: `DELETE FROM ${table} WHERE ${of}`,
    },
    {
      kind: `${kind}-role`,
      on: `UPDATE OF role ON ${table}`,
      when: 'NEW.role IS NOT OLD.role',
      key: keyOf('NEW'),
      value: 'NEW.role',
      again: { on: table, key: keyOf('NEW') },
      names,
      apply: `UPDATE ${table} SET role = @value WHERE ${of} AND ${isAbove('role', '@value', lowest, middle)}`,
    },
  ];
};

const ofUser =
  'SELECT m.workspace_id, u.email AS name FROM workspace_members m JOIN users u ON u.id = m.user_id WHERE u.id = @key';

export const KINDS: readonly RevocationKind[] = [
  {
    kind: 'token',
    on: 'UPDATE OF revoked_at ON tokens',
    when: 'NEW.revoked_at IS NOT NULL AND OLD.revoked_at IS NULL',
    key: 'NEW.id',
    names: 'SELECT workspace_id, name FROM tokens WHERE id = @key',
    apply: 'UPDATE tokens SET revoked_at = unixepoch() WHERE id = @key AND revoked_at IS NULL',
  },
  {
    kind: 'session',
    on: 'DELETE ON sessions',
    when: `OLD.kind = 'session' AND OLD.expires_at > unixepoch() AND ${exists('users', 'OLD.user_id')}`,
    key: 'OLD.hash',
    // A session in a backup expires at the same time as the original session, so the record is needed only until then.
    until: 'OLD.expires_at',
    apply: 'DELETE FROM sessions WHERE hash = @key',
  },
  {
    kind: 'device',
    on: 'DELETE ON devices',
    when: exists('workspaces', 'OLD.workspace_id'),
    key: 'OLD.id',
    names: 'SELECT workspace_id, name FROM devices WHERE id = @key',
    // Restores the device with its settings, but with a random secret that nobody knows.
    apply: 'UPDATE devices SET secret_hash = lower(hex(randomblob(32))) WHERE id = @key',
  },
  {
    kind: 'invite',
    on: 'DELETE ON invites',
    when: 'OLD.expires_at > unixepoch()',
    key: 'OLD.id',
    until: 'OLD.expires_at',
    names: 'SELECT workspace_id, email AS name FROM invites WHERE id = @key',
    apply: 'DELETE FROM invites WHERE id = @key',
  },
  {
    kind: 'email-token',
    on: 'DELETE ON email_tokens',
    when: `OLD.expires_at > unixepoch() AND ${exists('users', 'OLD.user_id')}`,
    key: 'OLD.hash',
    until: 'OLD.expires_at',
    apply: 'DELETE FROM email_tokens WHERE hash = @key',
  },
  {
    kind: 'password-link',
    on: 'DELETE ON password_links',
    when: `OLD.expires_at > unixepoch() AND ${exists('users', 'OLD.user_id')}`,
    key: 'OLD.hash',
    until: 'OLD.expires_at',
    apply: 'DELETE FROM password_links WHERE hash = @key',
  },
  {
    kind: 'recovery-code',
    on: 'UPDATE OF used_at ON recovery_codes',
    when: 'NEW.used_at IS NOT NULL AND OLD.used_at IS NULL',
    key: 'NEW.hash',
    apply: 'UPDATE recovery_codes SET used_at = unixepoch() WHERE hash = @key AND used_at IS NULL',
  },
  {
    kind: 'identity',
    on: 'DELETE ON identities',
    when: exists('users', 'OLD.user_id'),
    key: 'json_array(OLD.user_id, OLD.issuer, OLD.subject)',
    again: { on: 'identities', key: 'json_array(NEW.user_id, NEW.issuer, NEW.subject)' },
    apply: `DELETE FROM identities WHERE user_id = ${first} AND issuer = ${second} AND subject = json_extract(@key, '$[2]')`,
  },
  {
    // Records an administrator's reset and the password that the person chose afterwards, because the password from
    // before the reset must not work. A password that a person changed without a reset comes back with the backup.
    kind: 'password',
    on: 'UPDATE OF password_hash ON users',
    when: "NEW.password_hash IS NOT OLD.password_hash AND (NEW.must_change_password = 1 OR EXISTS (SELECT 1 FROM revocations WHERE kind = 'password' AND key = NEW.id))",
    key: 'NEW.id',
    value:
      "json_object('hash', NEW.password_hash, 'must_change', NEW.must_change_password, 'organization', NEW.password_organization_id)",
    names: ofUser,
    apply: `UPDATE users SET password_hash = json_extract(@value, '$.hash'), must_change_password = json_extract(@value, '$.must_change'), password_organization_id = json_extract(@value, '$.organization')
      WHERE id = @key AND auth_provider = 'local'`,
  },
  ...membership({
    table: 'workspace_members',
    parents: 'workspaces',
    parent: 'workspace_id',
    lowest: 'workspace_viewer',
    middle: 'workspace_editor',
    workspaces: 'id',
  }),
  ...membership({
    table: 'organization_members',
    parents: 'organizations',
    parent: 'organization_id',
    lowest: 'org_admin',
    middle: 'org_owner',
    workspaces: 'organization_id',
  }),
  {
    kind: 'user-role',
    on: 'UPDATE OF role ON users',
    when: 'NEW.role IS NOT OLD.role',
    key: 'NEW.id',
    value: 'NEW.role',
    names: ofUser,
    apply: `UPDATE users SET role = @value WHERE id = @key AND ${isAbove('role', '@value', 'user', 'platform_operator')}`,
  },
  {
    kind: 'user',
    on: 'DELETE ON users',
    when: 'TRUE',
    key: 'OLD.id',
    names: ofUser,
    apply: 'DELETE FROM users WHERE id = @key',
  },
];
