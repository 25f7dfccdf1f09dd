import type { Release, Rollout, RolloutStage, UpdateFile } from '../../../shared/contract/updates.ts';
import { filesForScreens, SIGNATURE_ENDING } from '../../../shared/protocol/release-signature.ts';

export const stages: readonly RolloutStage[] = ['first', 'groups', 'everyone'];

/** Whether a rollout keeps another from beginning. One that is `stopped` waits for somebody to decide. */
export const isOpen = ({ status }: Pick<Rollout, 'status'>): boolean =>
  status === 'running' || status === 'paused' || status === 'stopped';

/** How a stage stands while the rollout is at another, or at it. A stage without groups is none. */
export const stageState = (
  rollout: Pick<Rollout, 'stage' | 'status' | 'group_ids'>,
  stage: RolloutStage,
): 'done' | 'now' | 'later' | 'none' => {
  if (stage === 'groups' && rollout.group_ids.length === 0) return 'none';
  const [at, asked] = [stages.indexOf(rollout.stage), stages.indexOf(stage)];
  if (asked < at || rollout.status === 'done') return 'done';
  return asked === at ? 'now' : 'later';
};

/** Returns the machines that files are for, each once: "linux x64", "win x64". */
export const machinesOf = (files: readonly Pick<UpdateFile, 'platform' | 'arch'>[]): string[] => [
  ...new Set(files.map(({ platform, arch }) => `${platform} ${arch}`)),
];

export const bytesOf = (release: Pick<Release, 'files'>): number =>
  release.files.reduce((sum, { size }) => sum + size, 0);

/** The server takes a signature once it has the file. */
export const inSendingOrder = <F extends { readonly name: string }>(files: readonly F[]): F[] => {
  const isSignature = ({ name }: F) => name.endsWith(SIGNATURE_ENDING);
  return [...files.filter((file) => !isSignature(file)), ...files.filter(isSignature)];
};

/** Whether a release has files for any screen. */
export const hasForScreens = (
  files: readonly Pick<UpdateFile, 'name' | 'platform' | 'kind' | 'signature'>[],
): boolean => filesForScreens(files).length > 0;
