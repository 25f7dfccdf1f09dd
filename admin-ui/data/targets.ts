/** Whom a plan is for: one screen, or all screens of a group. */
export type Target = { readonly kind: 'screen' | 'group'; readonly id: string };

export const targetKey = ({ kind, id }: Target): string => `${kind}:${id}`;
export const targetOf = (key: string | undefined): Target | undefined => {
  const [, kind, id] = /^(screen|group):(.+)$/.exec(key ?? '') ?? [];
  return kind && id ? { kind: kind as Target['kind'], id } : undefined;
};
export const targetOfSchedule = ({
  device_id,
  group_id,
}: {
  device_id: string | null;
  group_id: string | null;
}): Target => (device_id !== null ? { kind: 'screen', id: device_id } : { kind: 'group', id: group_id ?? '' });
