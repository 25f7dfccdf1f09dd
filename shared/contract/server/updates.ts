/**
 * Updates of the screens from the store's own server: uploaded releases, and their rollout, which begins with a single
 * screen. Only platform administrators control updates. A screen sees only the release that it should install now.
 */
import { z } from 'zod';
import {
  ReleaseArch,
  ReleaseFileName,
  ReleaseHash,
  ReleaseKind,
  ReleasePlatform,
  ReleaseSignature,
  ReleaseSize,
  ReleaseVersion,
} from '../../protocol/releases/release-signature.ts';
import { device, endpointsOf, multipart, session, stream } from '../endpoint.ts';
import { Epoch, FlagOut, Id, Int, queryText, wholeFrom } from '../fields.ts';
import { Password } from '../people/users.ts';

const endpoint = endpointsOf('Updates');
const admin = session('platform_admin');

export const UpdateFile = z.object({
  name: ReleaseFileName,
  platform: ReleasePlatform,
  arch: ReleaseArch,
  kind: ReleaseKind,
  size: ReleaseSize,
  sha256: ReleaseHash,
  /** Hash of the file in Base64. Only older screens need this form. */
  sha512: z.string().max(100),
  /** Signature of the publisher for this file; null: no signature, and no screen is offered the file. */
  signature: ReleaseSignature.nullable(),
});
export type UpdateFile = z.infer<typeof UpdateFile>;

export const Release = z.object({
  id: z.string(),
  version: ReleaseVersion,
  files: z.array(UpdateFile),
  /** Release notes of the publisher, plain text; null: there are no notes, or they were not uploaded. */
  notes: z.string().nullable(),
  /**
   * Whether this server knows the publisher's keys and has verified the signatures. Each screen verifies them in any
   * case.
   */
  signatures_checked: z.boolean(),
  /** Number of screens that report this version. */
  screens: Int,
  created_at: Epoch,
});
export type Release = z.infer<typeof Release>;

export const RolloutStatus = z.enum(['running', 'paused', 'done', 'stopped', 'aborted']);
export const RolloutStage = z.enum(['first', 'groups', 'everyone']);
export type RolloutStage = z.infer<typeof RolloutStage>;

/** State of one screen in a rollout. */
export const RolloutDevice = z.object({
  device_id: z.string(),
  name: z.string(),
  workspace_id: z.string(),
  /** Number of the stage in which the screen gets the release. */
  stage: RolloutStage,
  /**
   * State of the screen. waiting: has not received the command; told: has received the command; healthy: has started
   * with the version; unsupported: cannot update itself.
   */
  status: z.enum(['waiting', 'told', 'healthy', 'failed', 'unsupported']),
  /** Version that the screen reports. */
  version: z.string(),
  online: FlagOut,
  told_at: Epoch.nullable(),
  error: z.string().nullable(),
});
export type RolloutDevice = z.infer<typeof RolloutDevice>;

export const Rollout = z.object({
  id: z.string(),
  release_id: z.string(),
  version: z.string(),
  /** State of the rollout. stopped: automatically, because a screen did not come up; `reason` names the screen. */
  status: RolloutStatus,
  stage: RolloutStage,
  first_device_id: z.string(),
  group_ids: z.array(z.string()),
  /** Number of minutes after which a screen that is not back with the new version counts as failed. */
  minutes: Int,
  reason: z.string().nullable(),
  healthy: Int,
  failed: Int,
  total: Int,
  created_at: Epoch,
  updated_at: Epoch,
});
export type Rollout = z.infer<typeof Rollout>;

export const RolloutDetail = Rollout.extend({ devices: z.array(RolloutDevice) });
export type RolloutDetail = z.infer<typeof RolloutDetail>;

export const listReleases = endpoint('GET /api/updates/releases', {
  name: 'listReleases',
  summary: 'Releases on this server, newest first',
  access: admin,
  response: z.array(Release),
});
export const uploadRelease = endpoint('POST /api/updates/releases', {
  name: 'uploadRelease',
  summary: 'Upload one file of a release',
  description:
    'A file as the build made it, `Vitrine-<version>-<linux|win|mac>-<x64|arm64>.<ending>`: version, platform and architecture are read from its name. The first file makes the release, further ones (other platforms) join it; the same file again changes nothing, another one of the same name takes its place, without its signature, and is 409 until its rollout has ended. Screens take AppImage and tar.gz (Linux) and zip (Windows, macOS); the others serve for a first installation. After it goes its signature, `<name>.sig` as the build left it beside the file: 400 when it is none, or one of something else or of another publisher than this server’s; 409 while the file itself is not here. What is new comes as `Vitrine-<version>-notes.json`, which holds its own signature. Screens are offered signed files only, and check the signature themselves. Builds that nobody has signed (`dev-unsigned` in their names) are 400.',
  access: admin,
  body: multipart('file'),
  status: 201,
  response: Release,
  errors: [409],
});
export const deleteRelease = endpoint('DELETE /api/updates/releases/{id}', {
  name: 'deleteRelease',
  summary: 'Delete a release, its files and its past rollouts',
  description: '409 while a rollout of it has not ended. Screens that have it keep it.',
  access: admin,
  errors: [409],
});
export const listRollouts = endpoint('GET /api/updates/rollouts', {
  name: 'listRollouts',
  summary: 'Rollouts, newest first',
  access: admin,
  response: z.array(Rollout),
});
export const startRollout = endpoint('POST /api/updates/rollouts', {
  name: 'startRollout',
  summary: 'Bring a release to the screens: one first, then groups, then all',
  description:
    'The next stage begins when every reachable screen of the one before is healthy: it is back with the new version, has kept its connection for 20 s and shows its program. The first screen must be; without `group_ids` all others follow at once. Screens that are switched off get it when they are back. When one is not healthy after `minutes`, the rollout stops and the administrators are told; the screen itself returns to the version it had. 409 while another rollout has not ended (it is done or aborted), and for a release without a signed file for screens.',
  access: admin,
  body: z.object({
    release_id: Id,
    first_device_id: Id,
    group_ids: z.array(Id).max(200, 'must be at most 200 groups').optional(),
    minutes: wholeFrom(2, 1440).optional(),
  }),
  status: 201,
  response: RolloutDetail,
  errors: [404, 409],
});
export const getRollout = endpoint('GET /api/updates/rollouts/{id}', {
  name: 'getRollout',
  summary: 'A rollout with how each screen is doing',
  access: admin,
  response: RolloutDetail,
});
export const pauseRollout = endpoint('POST /api/updates/rollouts/{id}/pause', {
  name: 'pauseRollout',
  summary: 'Tell no further screen for now',
  description: '409 unless it runs. Screens that were told already go on.',
  access: admin,
  response: RolloutDetail,
  errors: [409],
});
export const resumeRollout = endpoint('POST /api/updates/rollouts/{id}/resume', {
  name: 'resumeRollout',
  summary: 'Go on, also after it stopped by itself',
  description: 'Screens that failed are tried again. 409 when it is done, aborted or running.',
  access: admin,
  response: RolloutDetail,
  errors: [409],
});
export const abortRollout = endpoint('POST /api/updates/rollouts/{id}/abort', {
  name: 'abortRollout',
  summary: 'End it for good',
  description: 'Screens that have the version keep it. 409 when it has ended already.',
  access: admin,
  response: RolloutDetail,
  errors: [409],
});

/** Release that a screen should run; null: its current release. */
export const UpdateOffer = z.object({ update: z.object({ version: ReleaseVersion, file: UpdateFile }).nullable() });
export type UpdateOffer = z.infer<typeof UpdateOffer>;

export const getUpdateOffer = endpoint('GET /api/updates/offer', {
  name: 'getUpdateOffer',
  summary: 'Version that this screen should run, once its wave has begun',
  description:
    'An unknown platform or architecture has no update. The screen takes the file only with the signature of the publisher whose key was built into its own program.',
  access: device,
  query: z.object({ platform: queryText(), arch: queryText() }),
  response: UpdateOffer,
});
export const getUpdateFile = endpoint('GET /api/updates/files/{sha256}', {
  name: 'getUpdateFile',
  summary: 'A file of the release whose turn has come for this screen; Range is honoured; immutable',
  access: device,
  params: z.object({ sha256: z.string().max(200) }),
  response: stream('application/octet-stream', 'ranges', 'cached', 'named'),
});

// — the server itself —

/** Steps of the installation of a version, in order. */
export const ServerUpdateStep = z.enum(['checking', 'backup', 'unpacking', 'laying', 'starting']);

/** The newest update of the server that a person requested here. */
export const LastServerUpdate = z.object({
  version: ReleaseVersion,
  /** Version that ran before the update. */
  from: z.string(),
  at: Epoch,
  by: z.string(),
  /**
   * State of the update. trying: the new version runs under observation; failed: the previous version runs again;
   * returned: a person returned to the previous version.
   */
  status: z.enum(['trying', 'done', 'failed', 'returned']),
  /** Reason why the update failed. */
  reason: z.string().nullable(),
  /** Name of the backup that was made before the update. */
  backup: z.string(),
  /** Whether the backup was restored, because the previous version cannot read the data of the new version. */
  restored: FlagOut,
});
export type LastServerUpdate = z.infer<typeof LastServerUpdate>;

export const ServerUpdate = z.object({
  /** Version of the running server. */
  version: z.string(),
  /**
   * How this server is updated. trial: the admin window installs a release beside the old version, which returns if the
   * new version does not run; command: a person types a command on the server’s computer; none: this server accepts no
   * releases.
   */
  how: z.enum(['trial', 'command', 'none']),
  /** Reason why the admin window cannot install the release; null: the admin window can install it. */
  why: z.string().nullable(),
  /** Command that a person types if there is no release. */
  command: z.string().nullable(),
  /** Newest uploaded release that is newer than the running version; null: none. */
  offer: z
    .object({
      release_id: z.string(),
      version: ReleaseVersion,
      notes: z.string().nullable(),
      /** Name of the file that updates this server; null: the file is missing, or is not signed. */
      file: z.string().nullable(),
      /** Name of the file that this server needs. */
      wanted: z.string(),
      /** Command that installs the file; null: there is no command, or the admin window installs it. */
      command: z.string().nullable(),
    })
    .nullable(),
  /** Work in progress; null: none. */
  work: z.object({ step: ServerUpdateStep, done_bytes: z.number(), total_bytes: z.number() }).nullable(),
  /** The last update; null: no update was requested. */
  last: LastServerUpdate.nullable(),
  /** Previous version while a return is possible; null: no return is possible. */
  back: z
    .object({
      version: z.string(),
      /** Backup that the return restores; null: both versions read the same data, and nothing is lost. */
      backup: z.string().nullable(),
      until: Epoch,
    })
    .nullable(),
  /** Proof of identity that the update requires, as for a restore. */
  proof: z.enum(['none', 'password', 'sign_in']),
});
export type ServerUpdate = z.infer<typeof ServerUpdate>;

export const getServerUpdate = endpoint('GET /api/server/update', {
  name: 'getServerUpdate',
  summary: 'The server’s own version, what newer one is here, and what became of the last update',
  access: admin,
  response: ServerUpdate,
});
export const installServerUpdate = endpoint('POST /api/server/update', {
  name: 'installServerUpdate',
  summary: 'Install a release on the server itself',
  description:
    'Checks the publisher’s signature of the file, makes a backup, unpacks the version beside the one that runs, answers, and has it started. It is on trial: where it ends by itself, does not answer as healthy in time or stops answering, the version before runs again, with that backup where the new one has changed the database. `password` as for a restore. 409 where this server is not installed so, for a release that is not newer or has no signed file for it, and while another is being installed.',
  access: admin,
  body: z.object({ release_id: Id, password: Password.optional() }),
  response: z.object({ backup: z.string() }),
  errors: [404, 409],
});
export const returnServerUpdate = endpoint('POST /api/server/update/return', {
  name: 'returnServerUpdate',
  summary: 'Go back to the version of the server from before the last update',
  description:
    'Migrations of the database go forward only: where the version before does not understand it, the backup that was made before the update comes with it, and what was done since is in the backup of now alone (`safety`). 409 when there is no way back.',
  access: admin,
  body: z.object({ password: Password.optional() }),
  response: z.object({ safety: z.string() }),
  errors: [409],
});
