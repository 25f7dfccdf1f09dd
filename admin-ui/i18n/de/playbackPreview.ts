import type { Texts } from '../texts.ts';

export const playbackPreview: Texts['playbackPreview'] = {
  title: 'Wiedergabe-Vorschau',
  lead: 'Sehen Sie, was dieser Bildschirm an jedem Tag und zu jeder Uhrzeit zeigt, mit dem Grund dafür. Wählen Sie einen Tag, und bewegen Sie den Regler.',
  day: 'Tag',
  time: 'Uhrzeit',
  now: 'Jetzt',
  slider: 'Tageszeit',
  picture: 'Vorschau: {{when}}',
  wallPart: 'Der helle Teil ist dieser Bildschirm. Den Rest zeigen die anderen der Videowand.',
  nothing: 'Zu dieser Zeit läuft nichts: kein Plan, keine Playlist, kein Ersatzinhalt.',
  nothingPlanned:
    'Der Plan {{name}} ist aktiv, hat aber nichts zu zeigen: Seine Playlist ist leer, nicht veröffentlicht oder auf andere Zeiten beschränkt.',
  nothingInPlaylist:
    '{{name}} hat zu dieser Zeit nichts zu zeigen: leer, nicht veröffentlicht oder auf andere Zeiten beschränkt. Es gibt keinen Ersatzinhalt.',
  zoneEmpty: 'Nichts in dieser Zone',
  turn: '{{from}} – {{to}}',
  next: 'danach {{name}}',
  because: {
    schedule: 'Geplant, {{from}} – {{to}}:',
    device: 'Aus seiner eigenen Playlist {{playlist}}.',
    group: 'Aus {{playlist}}, der Playlist seiner Gruppe.',
    wall: 'Er gehört zu einer Videowand und spielt deren Inhalt: {{playlist}}',
    layout: 'Inhalt der Zone: zu sehen, wenn für sie nichts anderes vorgesehen ist.',
    fallback: 'Zu dieser Zeit läuft sonst nichts: Das ist der Ersatzinhalt.',
  },
  layoutOwn: 'Layout: {{name}}, das des Bildschirms.',
  layoutOf: 'Layout: {{name}}, aus dem Plan {{plan}}.',
  losing: 'Verdrängt',
  lostTo: 'verdrängt von {{name}}: {{why}}',
  waits: {
    device: 'die eigene Playlist des Bildschirms, läuft nach dem Plan',
    group: 'die Playlist der Gruppe, läuft nach dem Plan',
    wall: 'der Inhalt der Videowand, läuft nach dem Plan',
  },
  closed: 'in der Playlist, aber nicht zu dieser Tageszeit',
};
