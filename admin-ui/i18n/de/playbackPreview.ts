import type { Texts } from '../texts.ts';

export const playbackPreview: Texts['playbackPreview'] = {
  title: 'Wiedergabe-Vorschau',
  lead: 'Was dieser Bildschirm an jedem Tag zu jeder Uhrzeit zeigt, und warum. Wählen Sie einen Tag, und bewegen Sie den Regler.',
  day: 'Tag',
  time: 'Uhrzeit',
  now: 'Jetzt',
  slider: 'Tageszeit',
  picture: 'Was der Bildschirm zeigt: {{when}}',
  wallPart: 'Der helle Teil ist dieser Bildschirm; den Rest zeigen die anderen der Videowand.',
  nothing: 'Dann ist nichts zu sehen: kein Plan, keine Playlist, kein Ersatzinhalt.',
  nothingPlanned:
    'Der Plan {{name}} läuft, hat aber nichts zu zeigen: Seine Playlist ist leer, nicht veröffentlicht oder auf andere Zeiten beschränkt.',
  nothingInPlaylist:
    '{{name}} hat zu dieser Zeit nichts zu zeigen: leer, nicht veröffentlicht oder auf andere Zeiten beschränkt. Es gibt keinen Ersatzinhalt.',
  zoneEmpty: 'Nichts in dieser Zone',
  turn: '{{from}} – {{to}}',
  next: 'danach {{name}}',
  because: {
    schedule: 'Geplant, {{from}} – {{to}}:',
    device: 'Aus seiner eigenen Playlist {{playlist}}.',
    group: 'Aus {{playlist}}, der Playlist seiner Gruppe.',
    wall: 'Er gehört zu einer Videowand und spielt, was sie spielt: {{playlist}}',
    layout: 'Inhalt der Zone im Layout: zu sehen, wenn für diese Zone nichts anderes da ist.',
    fallback: 'Sonst läuft dann nichts: Das ist der Ersatzinhalt.',
  },
  layoutOwn: 'Layout: {{name}}, das des Bildschirms.',
  layoutOf: 'Layout: {{name}}, nach dem Plan {{plan}}.',
  losing: 'Zurückgestellt',
  lostTo: 'steht hinter {{name}} zurück: {{why}}',
  waits: {
    device: 'seine eigene Playlist, wartet, bis der Plan vorbei ist',
    group: 'die Playlist seiner Gruppe, wartet, bis der Plan vorbei ist',
    wall: 'was seine Videowand spielt, wartet, bis der Plan vorbei ist',
  },
  closed: 'in der Playlist, aber nicht zu dieser Tageszeit',
};
