export const playback = {
  fails_one: '{{count}} of {{screens}} screens cannot play {{name}}: {{list}}',
  fails_other: '{{count}} of {{screens}} screens cannot play {{name}}: {{list}}',
  silent_one: '{{count}} of {{screens}} screens plays {{name}} without sound: {{list}}',
  silent_other: '{{count}} of {{screens}} screens play {{name}} without sound: {{list}}',
  more_one: '{{list}} and {{count}} more',
  more_other: '{{list}} and {{count}} more',
  reason: {
    video_codec: 'The screen has no decoder for this video format. Use MP4 with H.264.',
    video_size: 'The video is too large for the screen. Use 1920 × 1080.',
    audio_codec: 'The screen has no decoder for this audio format. Use AAC.',
  },
  badge: {
    fails_one: 'Not on {{count}} screen',
    fails_other: 'Not on {{count}} screens',
    silent_one: 'Silent on {{count}} screen',
    silent_other: 'Silent on {{count}} screens',
  },
  moreProblems_one: '{{count}} more item has such a problem.',
  moreProblems_other: '{{count}} more items have such a problem.',
};
