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
  convert: {
    begin: 'Umwandeln',
    beginAgain: 'Noch einmal umwandeln',
    progress: '{{name}} wird umgewandelt',
    percent: 'Wird umgewandelt: {{percent}}',
    running: 'Wird umgewandelt',
    waiting_one: 'Wartet auf {{count}} andere Umwandlung',
    waiting_other: 'Wartet auf {{count}} andere Umwandlungen',
    failed: '{{name}} wurde nicht umgewandelt',
    no_ffmpeg: 'Der Server kann die Datei umwandeln, wenn auf seinem Rechner ffmpeg installiert ist.',
    no_encoder:
      'Das ffmpeg auf dem Rechner des Servers kann kein H.264 schreiben. Installieren Sie ein ffmpeg mit libx264, um die Datei hier umzuwandeln.',
    converted: 'Diese Datei wurde umgewandelt',
    original: 'Die Originaldatei bleibt erhalten: {{what}}.',
    restore: 'Originaldatei wieder verwenden',
    restored: 'Die Originaldatei von {{name}} wird wieder verwendet',
    download: 'Originaldatei herunterladen',
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
