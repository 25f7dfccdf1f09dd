/**
 * Updates of the screens from the store's own server: releases that somebody uploaded, and their rollout, one screen
 * first. All of it is the platform administrator's; a screen only ever sees the release whose turn has come for it.
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
} from '../protocol/release-signature.ts';
import { device, endpointsOf, multipart, session, stream } from './endpoint.ts';
import { Epoch, FlagOut, Id, Int, queryText, wholeFrom } from './fields.ts';
import { Password } from './users.ts';

const endpoint = endpointsOf('Updates');
const admin = session('platform_admin');

export const UpdateFile = z.object({
  name: ReleaseFileName,
  platform: ReleasePlatform,
  arch: ReleaseArch,
  kind: ReleaseKind,
  size: ReleaseSize,
  sha256: ReleaseHash,
  /** Base64. Only for older screens, which do not read an offer without it. */
  sha512: z.string().max(100),
  /** The publisher's, of the file as it is described here; null: there is none, and no screen is offered it. */
  signature: ReleaseSignature.nullable(),
});
export type UpdateFile = z.infer<typeof UpdateFile>;

export const Release = z.object({
  id: z.string(),
  version: ReleaseVersion,
  files: z.array(UpdateFile),
  /** What is new in it, plain text in its publisher’s words; null: nobody said, or the notes are not here. */
  notes: z.string().nullable(),
  /**
   * Whether this server knows its publisher's keys, and has checked the signatures with them; each screen does in any
   * case.
   */
  signatures_checked: z.boolean(),
  /** Screens that say they run it. */
  screens: Int,
  created_at: Epoch,
});
export type Release = z.infer<typeof Release>;

export const RolloutStatus = z.enum(['running', 'paused', 'done', 'stopped', 'aborted']);
export const RolloutStage = z.enum(['first', 'groups', 'everyone']);
export type RolloutStage = z.infer<typeof RolloutStage>;

/** One screen in a rollout. */
export const RolloutDevice = z.object({
  device_id: z.string(),
  name: z.string(),
  workspace_id: z.string(),
  /** Its turn. */
  stage: RolloutStage,
  /**
   * waiting: not told yet; told: it was sent the command; healthy: it came up with the version; unsupported: it cannot
   * update itself.
   */
  status: z.enum(['waiting', 'told', 'healthy', 'failed', 'unsupported']),
  /** What it says it runs. */
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
  /** stopped: by itself, because a screen did not come up; `reason` says which. */
  status: RolloutStatus,
  stage: RolloutStage,
  first_device_id: z.string(),
  group_ids: z.array(z.string()),
  /** A screen that is not back with the new version after so long has failed. */
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

/** What a screen is to run; null: what it runs now. */
export const UpdateOffer = z.object({ update: z.object({ version: ReleaseVersion, file: UpdateFile }).nullable() });
export type UpdateOffer = z.infer<typeof UpdateOffer>;

export const getUpdateOffer = endpoint('GET /api/updates/offer', {
  name: 'getUpdateOffer',
  summary: 'What this screen is to run, if its turn has come',
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

/** What is done to install a version, in this order. */
export const ServerUpdateStep = z.enum(['checking', 'backup', 'unpacking', 'laying', 'starting']);

/** The newest update of the server that somebody asked for here. */
export const LastServerUpdate = z.object({
  version: ReleaseVersion,
  /** The version that ran before. */
  from: z.string(),
  at: Epoch,
  by: z.string(),
  /**
   * trying: it runs, and is watched; failed: the version before runs again; returned: somebody went back to the version
   * before.
   */
  status: z.enum(['trying', 'done', 'failed', 'returned']),
  /** Why it failed. */
  reason: z.string().nullable(),
  /** The backup that was made before. */
  backup: z.string(),
  /** It was put in place again: the version before does not understand what the new one left. */
  restored: FlagOut,
});
export type LastServerUpdate = z.infer<typeof LastServerUpdate>;

export const ServerUpdate = z.object({
  /** What runs. */
  version: z.string(),
  /**
   * trial: a release is installed in the window, beside the old version, which comes back where the new one does not
   * run; command: somebody types it on the server’s computer; none: this server takes no releases.
   */
  how: z.enum(['trial', 'command', 'none']),
  /** Why not in the window; null: it can be. */
  why: z.string().nullable(),
  /** What to type where there is no release. */
  command: z.string().nullable(),
  /** The newest release here that is newer than what runs; null: there is none. */
  offer: z
    .object({
      release_id: z.string(),
      version: ReleaseVersion,
      notes: z.string().nullable(),
      /** The file that this server is installed from; null: it is not here, or nobody has signed it. */
      file: z.string().nullable(),
      /** How a file must be called that would do. */
      wanted: z.string(),
      /** What to type to install it; null: nothing, or it is installed in the window. */
      command: z.string().nullable(),
    })
    .nullable(),
  /** What is being done; null: nothing. */
  work: z.object({ step: ServerUpdateStep, done_bytes: z.number(), total_bytes: z.number() }).nullable(),
  /** Null: none was asked for. */
  last: LastServerUpdate.nullable(),
  /** The version before, while one can go back to it; null: one cannot. */
  back: z
    .object({
      version: z.string(),
      /** The backup that is put in place with it; null: both understand one store, and nothing is lost. */
      backup: z.string().nullable(),
      until: Epoch,
    })
    .nullable(),
  /** As for a restore. */
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
