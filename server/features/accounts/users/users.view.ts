import type { RegisteredUser } from '../../../../shared/contract/people/auth.ts';
import type { User } from '../../../../shared/contract/people/users.ts';
import type { UserRow } from './users.store.ts';

const flag = (n: number): 0 | 1 => (n ? 1 : 0);

/** Returns the public view of a user. It copies named fields only, so that hashes, secrets and counters stay out. */
export const toUser = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  auth_provider: row.auth_provider,
  avatar_url: row.avatar_url,
  plan_id: row.plan_id,
  email_verified: flag(row.email_verified),
  email_alerts: flag(row.email_alerts),
  must_change_password: flag(row.must_change_password),
  totp_enabled: flag(row.totp_enabled),
  trial_started_at: row.trial_started_at,
  last_login_at: row.last_login_at,
  created_at: row.created_at,
});

export const toRegisteredUser = (row: UserRow): RegisteredUser => ({
  ...toUser(row),
  payment_customer_id: row.payment_customer_id,
  payment_subscription_id: row.payment_subscription_id,
  subscription_status: row.subscription_status,
  subscription_ends: row.subscription_ends,
});
