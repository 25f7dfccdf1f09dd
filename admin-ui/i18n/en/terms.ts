/** Explanations of terms, one sentence per term. */
export const terms = {
  explain: 'Explain {{term}}',
  of: {
    zone: {
      name: 'Zone',
      means: 'A part of the screen with its own content. The layout defines the zones.',
    },
    fallback: {
      name: 'Fallback',
      means:
        'Content that plays when nothing else does, for example because the playlist is empty or all of its items have expired.',
    },
    priority: {
      name: 'Priority',
      means:
        'When two plans overlap on a screen, the plan with the higher priority plays. At the same priority the plan that starts later plays.',
    },
    dayparts: {
      name: 'Play times',
      means:
        'Limits an item to certain hours and days (dayparting), for example breakfast only until 11:00. At other times it is skipped.',
    },
    validity: {
      name: 'Validity',
      means: 'Screens show content only within its validity, even when they are offline.',
    },
    bezel: {
      name: 'Bezel',
      means:
        'The frame between two displays. Measure from the edge of one visible image to the edge of the next. The part of the image behind the bezel is skipped, so that lines stay straight.',
    },
    transition: {
      name: 'Transition',
      means: 'The effect between two items: a hard cut, or a short animation.',
    },
    proof: {
      name: 'Proof of play',
      means: 'A list of all plays, each with its screen, start and duration, signed by the screen.',
    },
    sync: {
      name: 'Synchronisation',
      means:
        'The screens of a video wall follow one clock. Differences below about 40 ms, one video frame, are not visible.',
    },
  },
};
