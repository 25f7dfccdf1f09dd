/** What terms of the field mean, each in a sentence. */
export const terms = {
  explain: 'What is this: {{term}}',
  of: {
    zone: {
      name: 'Zone',
      means: 'A zone is a part of the screen with content of its own. A layout says where the zones are.',
    },
    fallback: {
      name: 'Fallback',
      means:
        'The fallback is shown when nothing else plays, for example because the playlist is empty or everything in it has expired.',
    },
    priority: {
      name: 'Priority',
      means:
        'When two plans overlap on a screen, the one with the higher priority plays. With the same priority the one that starts later plays.',
    },
    dayparts: {
      name: 'Play times',
      means:
        'Play times limit an item to certain hours and days (day-parting), for example breakfast only until 11:00. At other times it is skipped.',
    },
    validity: {
      name: 'Validity',
      means:
        'Outside of its validity no screen shows it, wherever it is used, even if the screen is offline at that time.',
    },
    bezel: {
      name: 'Bezel',
      means:
        'The bezel is the frame between two pictures: measure from the edge of one visible picture to the edge of the next. What lies behind it is left out, so that lines stay straight.',
    },
    transition: {
      name: 'Transition',
      means: 'A transition is the way from one item to the next: a hard cut, or a short animation.',
    },
    proof: {
      name: 'Proof of play',
      means:
        'Proof of play is the list of what was really shown: each play with its screen, its start and its duration, signed by the screen.',
    },
    sync: {
      name: 'Synchronisation',
      means:
        'The screens of a video wall follow one clock. A difference below about 40 ms, one frame of a film, is not visible.',
    },
  },
};
