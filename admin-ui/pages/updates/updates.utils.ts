import type { Release, Rollout, RolloutStage, UpdateFile } from '../../../shared/contract/server/updates.ts';
import { notesVersionOf, SIGNATURE_ENDING } from '../../../shared/protocol/releases/release-format.ts';
import { filesForScreens } from '../../../shared/protocol/releases/release-signature.ts';

export const stages: readonly RolloutStage[] = ['first', 'groups', 'everyone'];

/** Returns whether a rollout blocks the next rollout. A `stopped` rollout waits for a decision and blocks it, too. */
export const isOpen = ({ status }: Pick<Rollout, 'status'>): boolean =>
  status === 'running' || status === 'paused' || status === 'stopped';

/**
 * Returns the state of a stage relative to the present stage of the rollout. The group stage is `none` if the
 * rollout has no groups.
 */
export const stageState = (
  rollout: Pick<Rollout, 'stage' | 'status' | 'group_ids'>,
  stage: RolloutStage,
): 'done' | 'now' | 'later' | 'none' => {
  if (stage === 'groups' && rollout.group_ids.length === 0) return 'none';
  const [at, asked] = [stages.indexOf(rollout.stage), stages.indexOf(stage)];
  if (asked < at || rollout.status === 'done') return 'done';
  return asked === at ? 'now' : 'later';
};

/** Returns the platforms of the files, each once: "linux x64", "win x64". */
export const machinesOf = (files: readonly Pick<UpdateFile, 'platform' | 'arch'>[]): string[] => [
  ...new Set(files.map(({ platform, arch }) => `${platform} ${arch}`)),
];

export const bytesOf = (release: Pick<Release, 'files'>): number =>
  release.files.reduce((sum, { size }) => sum + size, 0);

/** Returns the files in the order of sending, since the server accepts signatures and notes only after their file. */
export const inSendingOrder = <F extends { readonly name: string }>(files: readonly F[]): F[] => {
  const isBeside = ({ name }: F) => name.endsWith(SIGNATURE_ENDING) || notesVersionOf(name) !== undefined;
  return [...files.filter((file) => !isBeside(file)), ...files.filter(isBeside)];
};

/** Returns whether a release has files for any screen. */
export const hasForScreens = (
  files: readonly Pick<UpdateFile, 'name' | 'platform' | 'kind' | 'signature'>[],
): boolean => filesForScreens(files).length > 0;
