import type { Texts } from '../texts.ts';

export const nowAndThen: Texts['nowAndThen'] = {
  title: 'Jetzt und dann',
  lead: 'Was zeigt dieser Bildschirm am Freitag um 17:05, und warum? Wählen Sie einen Tag und gehen Sie ihn durch.',
  day: 'Tag',
  time: 'Uhrzeit',
  now: 'Jetzt',
  slider: 'Tageszeit',
  picture: 'Was der Bildschirm zeigt: {{when}}',
  wallPart: 'Der helle Teil ist dieser Bildschirm; der Rest hängt neben ihm in der Wand.',
  nothing: 'Dann zeigt er nichts: kein Plan, keine Playlist, kein Ersatz.',
  nothingPlanned:
    'Der Plan {{name}} läuft, aber in ihm gibt es nichts zu zeigen: Seine Playlist ist leer, nicht veröffentlicht oder schweigt zu dieser Stunde.',
  nothingInPlaylist:
    'In {{name}} ist zu dieser Zeit nichts zu zeigen: leer, nicht veröffentlicht oder zu dieser Stunde stumm. Einen Ersatz gibt es nicht.',
  zoneEmpty: 'Nichts in dieser Zone',
  turn: '{{from}} – {{to}}',
  next: 'danach {{name}}',
  because: {
    schedule: 'Geplant, {{from}} – {{to}}:',
    device: 'Aus seiner eigenen Playlist {{playlist}}.',
    group: 'Aus {{playlist}}, der Playlist seiner Gruppe.',
    wall: 'Er gehört zu einer Wand und spielt, was sie spielt: {{playlist}}',
    layout: 'Das Layout selbst: Es zeigt das, wo für diese Zone nichts anderes da ist.',
    fallback: 'Sonst läuft dann nichts. Das zeigt er in solchen Fällen.',
  },
  layoutOwn: 'Layout: {{name}}, das des Bildschirms.',
  layoutOf: 'Layout: {{name}}, nach dem Plan {{plan}}.',
  losing: 'Was zurückstehen muss',
  lostTo: 'steht hinter {{name}} zurück: {{why}}',
  waits: {
    device: 'seine eigene Playlist, wartet, bis der Plan vorbei ist',
    group: 'die Playlist seiner Gruppe, wartet, bis der Plan vorbei ist',
    wall: 'was seine Wand spielt, wartet, bis der Plan vorbei ist',
  },
  closed: 'in der Playlist, aber nicht zu dieser Tageszeit',
};
