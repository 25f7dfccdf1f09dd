export const playback = {
  fails_one: '{{count}} of {{screens}} screens cannot play {{name}}: {{list}}',
  fails_other: '{{count}} of {{screens}} screens cannot play {{name}}: {{list}}',
  silent_one: '{{count}} of {{screens}} screens plays {{name}} without sound: {{list}}',
  silent_other: '{{count}} of {{screens}} screens play {{name}} without sound: {{list}}',
  more_one: '{{list}} and {{count}} more',
  more_other: '{{list}} and {{count}} more',
  reason: {
    video_codec: 'They have no decoder for its video format. MP4 with H.264 plays on every screen.',
    video_size: 'Its picture is too large for them. 1920 × 1080 plays on every screen.',
    audio_codec: 'They have no decoder for its sound format. AAC plays on every screen.',
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
