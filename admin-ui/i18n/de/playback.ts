import type { Texts } from '../texts.ts';

export const playback: Texts['playback'] = {
  fails_one: '{{count}} von {{screens}} Bildschirmen kann {{name}} nicht abspielen: {{list}}',
  fails_other: '{{count}} von {{screens}} Bildschirmen können {{name}} nicht abspielen: {{list}}',
  silent_one: '{{count}} von {{screens}} Bildschirmen spielt {{name}} ohne Ton: {{list}}',
  silent_other: '{{count}} von {{screens}} Bildschirmen spielen {{name}} ohne Ton: {{list}}',
  more_one: '{{list}} und {{count}} weiterer',
  more_other: '{{list}} und {{count}} weitere',
  reason: {
    video_codec: 'Der Bildschirm hat keinen Decoder für dieses Videoformat. Verwenden Sie MP4 mit H.264.',
    video_size: 'Das Video ist zu groß für den Bildschirm. Verwenden Sie 1920 × 1080.',
    audio_codec: 'Der Bildschirm hat keinen Decoder für dieses Tonformat. Verwenden Sie AAC.',
  },
  badge: {
    fails_one: 'Nicht auf {{count}} Bildschirm',
    fails_other: 'Nicht auf {{count}} Bildschirmen',
    silent_one: 'Stumm auf {{count}} Bildschirm',
    silent_other: 'Stumm auf {{count}} Bildschirmen',
  },
  moreProblems_one: '{{count}} weiterer Eintrag hat ein solches Problem.',
  moreProblems_other: '{{count}} weitere Einträge haben ein solches Problem.',
};
