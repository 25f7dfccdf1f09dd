/** Stories of components/controls. */
import { Plus, RefreshCw } from 'lucide-react';
import { Anchor, Button, ButtonLink, IconButton } from '../../components/controls/Button.tsx';
import { ConfirmDialog, Dialog, FormDialog } from '../../components/controls/Dialog.tsx';
import { Spinner } from '../../components/controls/Spinner.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { TextField } from '../../components/fields/TextField.tsx';
import {
  As,
  component,
  longLabel,
  longText,
  longWord,
  nothing,
  Opener,
  Opens,
  type Say,
  type Section,
} from './story.tsx';

const VARIANTS = ['primary', 'secondary', 'quiet', 'danger', 'danger-quiet'] as const;

type LookProps = Omit<Parameters<typeof Button>[0], 'children'>;

/** A button of each variant. */
function EachVariant({ say, ...look }: LookProps & { say: Say }) {
  const words = [
    say('Publish', 'Veröffentlichen'),
    say('Preview', 'Vorschau'),
    say('Cancel', 'Abbrechen'),
    say('Delete', 'Löschen'),
    say('Remove', 'Entfernen'),
  ];
  return (
    <div className="story-row">
      {VARIANTS.map((variant, i) => (
        <Button key={variant} variant={variant} {...look}>
          {words[i]}
        </Button>
      ))}
    </div>
  );
}

function EachIcon({ say, ...look }: LookProps & { say: Say }) {
  return (
    <div className="story-row">
      {VARIANTS.map((variant) => (
        <IconButton key={variant} {...look} variant={variant} icon={RefreshCw} label={say('Reload', 'Neu laden')} />
      ))}
    </div>
  );
}

const paragraphs = (say: Say, count: number) =>
  Array.from({ length: count }, (_, i) => `${i + 1}. ${longText(say)}`).map((text) => <p key={text}>{text}</p>);

const message = (say: Say, tone: 'done' | 'problem' | 'note', more: Partial<Parameters<typeof toast>[0]> = {}) => (
  <div className="story-row">
    <Opener>
      <Button onPress={() => toast({ tone, text: say('Playlist published', 'Playlist veröffentlicht'), ...more })}>
        {tone}
      </Button>
    </Opener>
  </div>
);

export const controls: Section = {
  folder: 'controls',
  shown: [
    component(
      'Button',
      {
        normal: (say) => <EachVariant say={say} />,
        'with icon': (say) => <EachVariant say={say} icon={Plus} />,
        small: (say) => <EachVariant say={say} size="small" icon={Plus} />,
        hover: (say) => (
          <As state="hover" of=".button">
            <EachVariant say={say} />
          </As>
        ),
        pressed: (say) => (
          <As state="pressed" of=".button">
            <EachVariant say={say} />
          </As>
        ),
        focused: (say) => (
          <As state="focus" of=".button">
            <EachVariant say={say} />
          </As>
        ),
        disabled: (say) => <EachVariant say={say} isDisabled icon={Plus} />,
        pending: (say) => <EachVariant say={say} isPending />,
        'long text': (say) => (
          <>
            <Button icon={Plus}>{longLabel(say)}</Button>
            <Button wide variant="primary">
              {longLabel(say)}
            </Button>
          </>
        ),
      },
      { isWide: true },
    ),
    component('IconButton', {
      normal: (say) => <EachIcon say={say} />,
      small: (say) => <EachIcon say={say} size="small" />,
      hover: (say) => (
        <As state="hover" of=".button">
          <EachIcon say={say} />
        </As>
      ),
      focused: (say) => (
        <As state="focus" of=".button">
          <EachIcon say={say} />
        </As>
      ),
      disabled: (say) => <EachIcon say={say} isDisabled />,
      pending: (say) => <EachIcon say={say} isPending />,
    }),
    component('Anchor', {
      normal: (say) => (
        <div className="story-row">
          <Anchor href="https://example.org">{say('Licence', 'Lizenz')}</Anchor>
        </div>
      ),
    }),
    component('ButtonLink', {
      normal: (say) => (
        <div className="story-row">
          <ButtonLink to="/screens">{say('Open screens', 'Bildschirme öffnen')}</ButtonLink>
          <ButtonLink to="/screens" variant="primary" icon={Plus}>
            {say('Add screen', 'Bildschirm hinzufügen')}
          </ButtonLink>
        </div>
      ),
      focused: (say) => (
        <div className="story-row">
          <As state="focus" of="a">
            <ButtonLink to="/screens">{say('Open screens', 'Bildschirme öffnen')}</ButtonLink>
          </As>
        </div>
      ),
      'long text': (say) => <ButtonLink to="/screens">{longLabel(say)}</ButtonLink>,
    }),
    component('Spinner', {
      normal: (say) => (
        <div className="story-row">
          <Spinner />
          {say('Converting the film', 'Der Film wird umgewandelt')}
        </div>
      ),
    }),
    component('Dialog', {
      normal: (say) => (
        <Opens>
          {(close) => (
            <Dialog
              title={say('About this screen', 'Über diesen Bildschirm')}
              onClose={close}
              actions={<Button onPress={close}>{say('Close', 'Schließen')}</Button>}
            >
              {paragraphs(say, 2)}
            </Dialog>
          )}
        </Opens>
      ),
      'long text': (say) => (
        <Opens>
          {(close) => (
            <Dialog
              title={`${longText(say)} ${longWord(say)}`}
              onClose={close}
              actions={<Button onPress={close}>{longLabel(say)}</Button>}
            >
              {paragraphs(say, 40)}
              <p>{longWord(say)}</p>
            </Dialog>
          )}
        </Opens>
      ),
      wide: (say) => (
        <Opens>
          {(close) => (
            <Dialog title={say('Choose content', 'Inhalt wählen')} onClose={close} size="wide">
              {paragraphs(say, 3)}
            </Dialog>
          )}
        </Opens>
      ),
      full: (say) => (
        <Opens>
          {(close) => (
            <Dialog title={say('Preview', 'Vorschau')} onClose={close} size="full">
              {paragraphs(say, 3)}
            </Dialog>
          )}
        </Opens>
      ),
    }),
    component('FormDialog', {
      normal: (say) => (
        <Opens>
          {(close) => (
            <FormDialog
              title={say('New playlist', 'Neue Playlist')}
              submit={say('Create', 'Anlegen')}
              onSubmit={close}
              onClose={close}
            >
              <TextField label={say('Name', 'Name')} autoFocus />
            </FormDialog>
          )}
        </Opens>
      ),
      'with error': (say) => (
        <Opens>
          {(close) => (
            <FormDialog
              title={say('New playlist', 'Neue Playlist')}
              submit={say('Create', 'Anlegen')}
              onSubmit={close}
              onClose={close}
              isDisabled
            >
              <TextField label={say('Name', 'Name')} error={say('Enter a name.', 'Geben Sie einen Namen ein.')} />
            </FormDialog>
          )}
        </Opens>
      ),
      pending: (say) => (
        <Opens>
          {(close) => (
            <FormDialog
              title={say('New playlist', 'Neue Playlist')}
              submit={say('Create', 'Anlegen')}
              onSubmit={nothing}
              onClose={close}
              isPending
            >
              <TextField label={say('Name', 'Name')} defaultValue={longText(say)} />
            </FormDialog>
          )}
        </Opens>
      ),
    }),
    component('ConfirmDialog', {
      normal: (say) => (
        <Opens>
          {(close) => (
            <ConfirmDialog
              title={say('Restart Till 1?', 'Kasse 1 neu starten?')}
              confirm={say('Restart', 'Neu starten')}
              onConfirm={close}
              onClose={close}
            >
              <p>{say('The screen is dark for a minute.', 'Der Bildschirm ist eine Minute lang dunkel.')}</p>
            </ConfirmDialog>
          )}
        </Opens>
      ),
      danger: (say) => (
        <Opens>
          {(close) => (
            <ConfirmDialog
              title={say('Delete 12 playlists?', '12 Playlists löschen?')}
              confirm={say('Delete', 'Löschen')}
              danger
              onConfirm={close}
              onClose={close}
            >
              <p>{longText(say)}</p>
            </ConfirmDialog>
          )}
        </Opens>
      ),
      pending: (say) => (
        <Opens>
          {(close) => (
            <ConfirmDialog
              title={say('Delete the playlist?', 'Die Playlist löschen?')}
              confirm={say('Delete', 'Löschen')}
              danger
              isPending
              onConfirm={nothing}
              onClose={close}
            >
              <p>{longText(say)}</p>
            </ConfirmDialog>
          )}
        </Opens>
      ),
    }),
    component('Toasts', {
      done: (say) => message(say, 'done'),
      problem: (say) =>
        message(say, 'problem', {
          text: say('The server does not answer', 'Der Server antwortet nicht'),
          detail: longText(say),
        }),
      note: (say) => message(say, 'note', { text: longWord(say), detail: longText(say) }),
      'with action': (say) => (
        <>
          {message(say, 'done', {
            text: say('Deleted', 'Gelöscht'),
            action: { label: say('Undo', 'Rückgängig machen'), run: nothing },
          })}
        </>
      ),
    }),
  ],
};
