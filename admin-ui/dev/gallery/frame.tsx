/** Stories of components/frame. */
import { Plus } from 'lucide-react';
import { Button } from '../../components/controls/Button.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { BrandMark, Wordmark } from '../../components/frame/Brand.tsx';
import { DangerZone } from '../../components/frame/DangerZone.tsx';
import { Doorway } from '../../components/frame/Doorway.tsx';
import { Drawing } from '../../components/frame/Drawing.tsx';
import { Facts } from '../../components/frame/Facts.tsx';
import { Badge, Bone, Empty, Notice, Page, Section as PageSection, Progress } from '../../components/frame/Page.tsx';
import { ConflictNotice, SaveButtons, UndoButtons } from '../../components/frame/SaveBar.tsx';
import playlistsDrawing from '../../drawings/playlists.svg?raw';
import screensDrawing from '../../drawings/screens.svg?raw';
import { component, longLabel, longText, longWord, nothing, type Say, type Section } from './story.tsx';

const TONES = ['info', 'good', 'warn', 'bad'] as const;

const draft = { dirty: true, conflict: false, forget: nothing, keepMine: nothing };
const history = { canUndo: true, canRedo: true, undo: nothing, redo: nothing };

const notice = (say: Say, tone: (typeof TONES)[number]) => (
  <Notice
    tone={tone}
    title={say('Two screens are offline', 'Zwei Bildschirme sind offline')}
    actions={<Button size="small">{say('Show', 'Anzeigen')}</Button>}
  >
    {say('They keep playing what they have.', 'Sie spielen weiter, was sie haben.')}
  </Notice>
);

const toneWords = (say: Say) => ({
  info: say('Draft', 'Entwurf'),
  good: say('Online', 'Online'),
  warn: say('Ends soon', 'Endet bald'),
  bad: say('Offline', 'Offline'),
});

const badges = (say: Say, dot: boolean) => (
  <div className="story-row">
    <Badge dot={dot}>{say('Neutral', 'Neutral')}</Badge>
    {TONES.map((tone) => (
      <Badge key={tone} tone={tone} dot={dot}>
        {toneWords(say)[tone]}
      </Badge>
    ))}
  </div>
);

export const frame: Section = {
  folder: 'frame',
  shown: [
    component(
      'Page',
      {
        normal: (say) => (
          <Page
            title={say('Screens', 'Bildschirme')}
            lead={say('All screens of this workspace.', 'Alle Bildschirme dieses Arbeitsbereichs.')}
            actions={
              <Button variant="primary" icon={Plus}>
                {say('Add screen', 'Bildschirm hinzufügen')}
              </Button>
            }
          >
            <p>{say('Content of the page', 'Inhalt der Seite')}</p>
          </Page>
        ),
        'long text': (say) => (
          <Page
            title={`${longText(say)} ${longWord(say)}`}
            lead={longText(say)}
            actions={<Button>{longLabel(say)}</Button>}
            narrow
          >
            <p>{longWord(say)}</p>
          </Page>
        ),
      },
      { isWide: true },
    ),
    component(
      'Section',
      {
        normal: (say) => (
          <PageSection
            title={say('Opening hours', 'Öffnungszeiten')}
            lead={say('Screens are off outside these hours.', 'Außerhalb dieser Zeiten sind Bildschirme aus.')}
            actions={<Button size="small">{say('Edit', 'Bearbeiten')}</Button>}
          >
            <p>{say('Monday to Saturday', 'Montag bis Samstag')}</p>
          </PageSection>
        ),
        'long text': (say) => (
          <PageSection
            title={longText(say)}
            lead={longWord(say)}
            actions={<Button size="small">{longLabel(say)}</Button>}
          >
            <p>{longText(say)}</p>
          </PageSection>
        ),
      },
      { isWide: true },
    ),
    component('Empty', {
      normal: (say) => (
        <Empty
          drawing={playlistsDrawing}
          title={say('No playlists yet', 'Noch keine Playlists')}
          actions={<Button variant="primary">{say('Create playlist', 'Playlist anlegen')}</Button>}
        >
          {say('A playlist shows content in turn.', 'Eine Playlist zeigt Inhalte nacheinander.')}
        </Empty>
      ),
      'only a title': (say) => (
        <Empty drawing={screensDrawing} title={say('No screens yet', 'Noch keine Bildschirme')} />
      ),
      'long text': (say) => (
        <Empty drawing={screensDrawing} title={longText(say)} actions={<Button>{longLabel(say)}</Button>}>
          {longWord(say)}
        </Empty>
      ),
    }),
    component(
      'Notice',
      {
        info: (say) => notice(say, 'info'),
        good: (say) => notice(say, 'good'),
        warn: (say) => notice(say, 'warn'),
        bad: (say) => notice(say, 'bad'),
        'only a title': (say) => <Notice tone="info" title={say('Saved', 'Gespeichert')} />,
        'long text': (say) => (
          <Notice tone="warn" title={longText(say)} actions={<Button size="small">{longLabel(say)}</Button>}>
            {longText(say)} {longWord(say)}
          </Notice>
        ),
      },
      { isWide: true },
    ),
    component('Badge', {
      normal: (say) => badges(say, false),
      'with dot': (say) => badges(say, true),
    }),
    component('Progress', {
      normal: (say) => <Progress share={0.4} label={say('Upload', 'Hochladen')} />,
      good: (say) => <Progress share={1} label={say('Upload', 'Hochladen')} tone="good" />,
      bad: (say) => <Progress share={0.95} label={say('Disk', 'Festplatte')} tone="bad" />,
      empty: (say) => <Progress share={0} label={say('Upload', 'Hochladen')} />,
    }),
    component('Bone', {
      normal: () => (
        <>
          <Bone width="60%" />
          <Bone height="4rem" radius="var(--r-l)" />
        </>
      ),
    }),
    component('Facts', {
      normal: (say) => (
        <Facts
          facts={[
            [say('Address', 'Adresse'), '192.168.20.14'],
            [say('Version', 'Version'), '0.2.0'],
            [say('No value, not shown', 'Ohne Wert, nicht gezeigt'), null],
          ]}
        />
      ),
      'long text': (say) => (
        <Facts
          facts={[
            [longText(say), longText(say)],
            [say('File', 'Datei'), longWord(say)],
          ]}
        />
      ),
    }),
    component('SaveButtons', {
      unchanged: () => (
        <div className="story-row">
          <SaveButtons draft={{ ...draft, dirty: false }} isPending={false} onSave={nothing} />
        </div>
      ),
      changed: () => (
        <div className="story-row">
          <SaveButtons draft={draft} isPending={false} onSave={nothing} />
        </div>
      ),
      pending: () => (
        <div className="story-row">
          <SaveButtons draft={draft} isPending onSave={nothing} />
        </div>
      ),
      conflict: () => (
        <div className="story-row">
          <SaveButtons draft={{ ...draft, conflict: true }} isPending={false} onSave={nothing} />
        </div>
      ),
    }),
    component('UndoButtons', {
      normal: () => (
        <div className="story-row">
          <UndoButtons draft={history} />
        </div>
      ),
      disabled: () => (
        <div className="story-row">
          <UndoButtons draft={{ ...history, canUndo: false, canRedo: false }} />
        </div>
      ),
    }),
    component(
      'ConflictNotice',
      {
        draft: () => <ConflictNotice draft={{ ...draft, conflict: true }} words="draft" />,
        preview: () => <ConflictNotice draft={{ ...draft, conflict: true }} words="preview" />,
      },
      { isWide: true },
    ),
    component(
      'DangerZone',
      {
        normal: (say) => (
          <DangerZone
            title={say('Delete the playlist', 'Playlist löschen')}
            lead={say('Screens that play it become empty.', 'Bildschirme, die sie spielen, werden leer.')}
          >
            <Button variant="danger-quiet">{say('Delete', 'Löschen')}</Button>
          </DangerZone>
        ),
        'long text': (say) => (
          <DangerZone title={longText(say)} lead={`${longText(say)} ${longWord(say)}`}>
            <Button variant="danger-quiet">{longLabel(say)}</Button>
          </DangerZone>
        ),
      },
      { isWide: true },
    ),
    component('BrandMark', {
      normal: () => (
        <div className="story-row">
          <BrandMark />
        </div>
      ),
    }),
    component('Wordmark', {
      normal: () => (
        <div className="story-row">
          <Wordmark />
        </div>
      ),
    }),
    component('Drawing', { normal: () => <Drawing svg={screensDrawing} /> }),
    component(
      'Doorway',
      {
        normal: (say) => (
          <Doorway
            title={say('Sign in', 'Anmelden')}
            step={say('Step 1 of 2', 'Schritt 1 von 2')}
            lead={say('To the store at the market hall.', 'Bei der Filiale an der Markthalle.')}
            words={{ title: say('Open till eight', 'Bis acht geöffnet'), lead: longText(say) }}
          >
            <TextField label={say('E-mail', 'E-Mail')} defaultValue="ines@brunnen.example" />
            <Button variant="primary" wide>
              {say('Continue', 'Weiter')}
            </Button>
          </Doorway>
        ),
      },
      { isWide: true },
    ),
  ],
};
