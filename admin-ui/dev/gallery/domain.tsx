/** Stories of the parts of admin-ui/domain that several pages share and that need no server. */
import { useState } from 'react';
import { z } from 'zod';
import { ApiError, diskFull, notFound } from '../../../shared/contract/errors.ts';
import { type Brand, DEFAULT_BRAND } from '../../../shared/design/brand.ts';
import type { PageFormat } from '../../../shared/design/page-formats.ts';
import { templateDesign } from '../../../shared/design/templates/all.ts';
import type { TemplateStyle } from '../../../shared/design/templates/template.ts';
import { useForm } from '../../api/editing/useForm.ts';
import { Button } from '../../components/controls/Button.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Bone, Progress } from '../../components/frame/Page.tsx';
import '../../components/lists/ListRow.css';
import { DesignPreview } from '../../domain/designs/DesignPreview.tsx';
import { Scaled } from '../../domain/preview/Scaled.tsx';
import { Thumb, type ThumbKind } from '../../domain/preview/Thumb.tsx';
import { FewRows } from '../../domain/records/FewRows.tsx';
import { NewRecord } from '../../domain/records/NewRecord.tsx';
import { NotFound } from '../../domain/records/NotFound.tsx';
import { Pages } from '../../domain/records/Pages.tsx';
import { QueryFailure, Unanswered } from '../../domain/records/QueryFailure.tsx';
import { StackTable } from '../../domain/records/StackTable.tsx';
import { Explained, TermHelp } from '../../domain/records/TermHelp.tsx';
import { Totals } from '../../domain/records/Totals.tsx';
import { ConfirmEdit } from '../../domain/saving/ConfirmEdit.tsx';
import { Hindered } from '../../domain/saving/Hindered.tsx';
import { KeptDialog } from '../../domain/saving/KeptDialog.tsx';
import { KeptNotice } from '../../domain/saving/KeptNotice.tsx';
import { StepsOfWork } from '../../domain/saving/StepsOfWork.tsx';
import { ScreenFrame } from '../../domain/screens/ScreenFrame.tsx';
import { type ChartRow, PlaysChart } from '../../domain/time/PlaysChart.tsx';
import { Standing } from '../../domain/time/Standing.tsx';
import { ValidityFields } from '../../domain/time/ValidityFields.tsx';
import { component, Holds, longText, longWord, nothing, Opener, Opens, type Say, type Section } from './story.tsx';

/** A picture without a file: a blue square. */
const PICTURE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"><rect width="16" height="9" fill="#25408f"/></svg>')}`;

const failed = (error: Error) => ({ data: undefined, error, isError: true, refetch: nothing }) as never;
const loading = { data: undefined, error: null, isError: false, refetch: nothing } as never;

const columns = (say: Say) => [
  { name: say('Name', 'Name') },
  { name: say('Plays', 'Wiedergaben'), className: 'number' },
  { name: say('Actions', 'Aktionen'), className: 'actions', isHidden: true },
];
function Table({ say, count }: { say: Say; count: number }) {
  return (
    <StackTable caption={say('Contents', 'Inhalte')} box="" table="" columns={columns(say)}>
      {Array.from({ length: count }, (_, i) => (i === 1 ? longWord(say) : `${say('Picture', 'Bild')} ${i + 1}`)).map(
        (name) => (
          <tr key={name}>
            <th scope="row">
              {name}
              <small>{longText(say)}</small>
            </th>
            <td className="number">1,204</td>
            <td className="actions">
              <Button size="small">{say('Report', 'Bericht')}</Button>
            </td>
          </tr>
        ),
      )}
    </StackTable>
  );
}

type TemplateProps = { say: Say; task: string; style: TemplateStyle; size: PageFormat; brand?: Partial<Brand> };
function Template({ say, task, style, size, brand }: TemplateProps) {
  const [design] = useState(() =>
    templateDesign(task, style, { language: say('en', 'de'), currency: 'EUR', until: '2030-01-01T00:00' }),
  );
  const [look] = useState(() => ({ ...DEFAULT_BRAND, name: say('Corner Bakery', 'Bäckerei am Eck'), ...brand }));
  return <DesignPreview design={design!} size={size} brand={look} label={say('An offer', 'Ein Angebot')} />;
}

const few = (say: Say, count: number) => (
  <FewRows
    label={say('Search contents', 'Inhalte suchen')}
    rows={Array.from({ length: count }, (_, i) => (i === 1 ? longWord(say) : `${say('Picture', 'Bild')} ${i + 1}`))}
    textOf={(name) => name}
  >
    {(name) => (
      <li key={name} className="list-row">
        <span className="row-what">
          <strong>{name}</strong>
        </span>
      </li>
    )}
  </FewRows>
);

function NewPlaylist({ say, close }: { say: Say; close: () => void }) {
  const form = useForm({
    start: { name: '' },
    schema: z.object({ name: z.string().trim().min(1) }),
    topics: [],
    run: async () => {},
    done: close,
  });
  return (
    <NewRecord
      title={say('New playlist', 'Neue Playlist')}
      form={form}
      lead={longText(say)}
      placeholder={say('Shop window', 'Schaufenster')}
      onClose={close}
    />
  );
}

const HOUR_MS = 3_600_000;
const offer = { at: Date.now() - HOUR_MS, restore: nothing, discard: nothing };
/** Returns a local minute some days from now, as records store it. */
const inDays = (days: number): string =>
  new Date(Date.now() + days * 24 * HOUR_MS - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

function Validity({ from, until }: { from: string | null; until: string | null }) {
  const [valid, setValid] = useState({ valid_from: from, valid_until: until });
  return <ValidityFields valid={valid} onChange={(change) => setValid({ ...valid, ...change })} />;
}

const chartRows = (say: Say, count: number): ChartRow[] =>
  Array.from({ length: count }, (_, i) => ({
    key: i,
    name: `${say('Day', 'Tag')} ${i + 1}`,
    short: String(i + 1),
    plays: (i * 37) % 120,
    seconds: ((i * 37) % 120) * 12,
  }));

const THUMBS: readonly ThumbKind[] = ['image', 'video', 'audio', 'pdf', 'web', 'embed', 'widget', 'missing'];

const steps = (say: Say) => [
  say('Download', 'Herunterladen'),
  say('Check the signature', 'Signatur prüfen'),
  say('Restart', 'Neu starten'),
];

export const domain: Section = {
  folder: 'domain',
  shown: [
    component('Unanswered', {
      pending: () => <Unanswered query={loading} bones={<Bone height="4rem" radius="var(--r-l)" />} />,
      'with error': () => <Unanswered query={failed(diskFull())} />,
    }),
    component('QueryFailure', {
      'no connection': () => <QueryFailure query={{ error: new ApiError(0, ''), refetch: nothing }} />,
      'record not found': (say) => (
        <QueryFailure
          query={{ error: notFound('Playlist'), refetch: nothing }}
          whenGone={<Button>{say('All playlists', 'Alle Playlists')}</Button>}
        />
      ),
    }),
    component('NotFound', {
      normal: (say) => <NotFound to="/screens" label={say('All screens', 'Alle Bildschirme')} />,
    }),
    component(
      'StackTable',
      {
        normal: (say) => <Table say={say} count={3} />,
        'many items': (say) => <Table say={say} count={20} />,
        empty: (say) => <Table say={say} count={0} />,
      },
      { isWide: true },
    ),
    component('FewRows', { normal: (say) => few(say, 3), 'many items': (say) => few(say, 80) }),
    component('Pages', {
      normal: () => (
        <Holds start={0}>
          {(page, set) => (
            <Pages
              page={page}
              size={50}
              shown={50}
              total={12_480}
              onPage={(next) => set(next ? Number(next) - 1 : 0)}
            />
          )}
        </Holds>
      ),
    }),
    component(
      'Totals',
      {
        normal: (say) => (
          <Totals
            totals={[
              [say('Plays', 'Wiedergaben'), '12,480'],
              [say('Time on screens', 'Zeit auf Bildschirmen'), '41 h', longText(say)],
              [say('Screens', 'Bildschirme'), '3', null],
            ]}
          />
        ),
      },
      { isWide: true },
    ),
    component('TermHelp', {
      normal: () => (
        <div className="story-row">
          <Opener>
            <TermHelp term="priority" />
          </Opener>
        </div>
      ),
    }),
    component('Explained', {
      normal: (say) => (
        <Explained term="zone">
          <TextField label={say('Zone', 'Bereich')} defaultValue={say('Main zone', 'Hauptbereich')} />
        </Explained>
      ),
    }),
    component('NewRecord', {
      normal: (say) => <Opens>{(close) => <NewPlaylist say={say} close={close} />}</Opens>,
    }),
    component('KeptDialog', {
      'with kept input': (say) => (
        <Opens>
          {(close) => (
            <KeptDialog
              title={say('New group', 'Neue Gruppe')}
              form={{ offer, send: close, discard: nothing, isPending: false }}
              submit={say('Create', 'Anlegen')}
              onClose={close}
            >
              <TextField label={say('Name', 'Name')} />
            </KeptDialog>
          )}
        </Opens>
      ),
    }),
    component('ConfirmEdit', {
      normal: (say) => (
        <Opens>
          {(close) => (
            <ConfirmEdit
              title={say('Withdraw the plan?', 'Den Plan zurückziehen?')}
              confirm={say('Withdraw', 'Zurückziehen')}
              topics={[]}
              run={async () => {}}
              onClose={close}
            >
              <p>{longText(say)}</p>
            </ConfirmEdit>
          )}
        </Opens>
      ),
    }),
    component('KeptNotice', { normal: () => <KeptNotice offer={offer} /> }, { isWide: true }),
    component(
      'Hindered',
      {
        normal: (say) => (
          <Hindered why={longText(say)} actions={<Button size="small">{say('Duplicate', 'Duplizieren')}</Button>} />
        ),
      },
      { isWide: true },
    ),
    component('StepsOfWork', {
      normal: (say) => (
        <StepsOfWork steps={steps(say)} reached={1}>
          <Progress share={0.4} label={steps(say)[1]!} />
        </StepsOfWork>
      ),
      pending: (say) => <StepsOfWork steps={steps(say)} reached={0} />,
      done: (say) => <StepsOfWork steps={steps(say)} reached={3} />,
      'long text': (say) => <StepsOfWork steps={[longText(say), longWord(say)]} reached={1} />,
    }),
    component(
      'ValidityFields',
      {
        empty: () => <Validity from={null} until={null} />,
        normal: () => <Validity from="2026-12-01T08:00" until="2026-12-24T14:00" />,
        'with error': () => <Validity from="2026-12-24T14:00" until="2026-12-01T08:00" />,
      },
      { isWide: true },
    ),
    component('Standing', {
      expired: () => <Standing valid={{ valid_from: null, valid_until: inDays(-3) }} />,
      'not yet valid': () => <Standing valid={{ valid_from: inDays(30), valid_until: null }} />,
      'ends soon': () => <Standing valid={{ valid_from: null, valid_until: inDays(3) }} />,
    }),
    component(
      'PlaysChart',
      {
        normal: (say) => (
          <PlaysChart
            title={say('Plays per day', 'Wiedergaben je Tag')}
            rows={chartRows(say, 7)}
            measure="plays"
            room={[14, 7]}
          />
        ),
        'many items': (say) => (
          <PlaysChart
            title={say('Time per day', 'Zeit je Tag')}
            rows={chartRows(say, 92)}
            measure="time"
            room={[14, 5]}
          />
        ),
      },
      { isWide: true },
    ),
    component('Thumb', {
      normal: () => (
        <div className="story-row">
          {THUMBS.map((kind) => (
            <span key={kind} style={{ width: '6rem' }}>
              <Thumb kind={kind} src={null} />
            </span>
          ))}
        </div>
      ),
      'with picture': () => <Thumb kind="video" src={PICTURE} length="0:14" />,
      small: () => (
        <div className="story-row">
          <Thumb kind="image" src={PICTURE} small />
          <Thumb kind="pdf" src={null} small />
        </div>
      ),
    }),
    component('DesignPreview', {
      landscape: (say) => <Template say={say} task="offer" style="bold" size="landscape" />,
      portrait: (say) => <Template say={say} task="menu" style="calm" size="portrait" />,
      strip: (say) => <Template say={say} task="offer" style="playful" size="strip" />,
      'dark brand': (say) => (
        <Template say={say} task="offer" style="photo" size="square" brand={{ tone: 'dark', primary: '#7A1F3D' }} />
      ),
    }),
    component('Scaled', {
      normal: (say) => (
        <Scaled size={{ width: 1920, height: 1080 }}>
          {(style) => (
            <div style={{ ...style, transformOrigin: '0 0', background: '#25408f', color: '#fff', fontSize: 200 }}>
              {say('Till 1', 'Kasse 1')}
            </div>
          )}
        </Scaled>
      ),
    }),
    component('ScreenFrame', {
      normal: (say) => (
        <ScreenFrame
          aspect={16 / 9}
          src={PICTURE}
          alt={say('Till 1', 'Kasse 1')}
          blank=""
          over={say('2 min ago', 'vor 2 Min.')}
        />
      ),
      empty: (say) => <ScreenFrame aspect={16 / 9} src={null} alt="" blank={say('No picture yet', 'Noch kein Bild')} />,
      offline: (say) => <ScreenFrame aspect={16 / 9} src={null} alt="" dim blank={say('Offline', 'Offline')} />,
    }),
  ],
};
