/** Target of a plan: one screen, or all screens of a group. */
export type Target = { readonly kind: 'screen' | 'group'; readonly id: string };

export const targetKey = ({ kind, id }: Target): string => `${kind}:${id}`;
