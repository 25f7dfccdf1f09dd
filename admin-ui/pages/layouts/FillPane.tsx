import { useQuery } from '@tanstack/react-query';
import { CalendarClock, ListVideo, type LucideIcon, MoveHorizontal, Type } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createWidget, type Widget } from '../../../shared/contract/content/widgets.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { playlistsQuery } from '../../api/playlists.ts';
import { client } from '../../api/requests/client.ts';
import { useCanShow } from '../../api/session/me.ts';
import { widgetsQuery } from '../../api/widgets.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { SearchField } from '../../components/fields/SearchField.tsx';
import { useOneStop } from '../../components/keyboard/useOneStop.ts';
import { useContentLibrary } from '../../domain/content/ContentPicker.tsx';
import { ContentThumb } from '../../domain/preview/ContentThumb.tsx';
import type { Fill } from './layout.utils.ts';

const KINDS = ['content', 'playlists', 'widgets'] as const;
type Kind = (typeof KINDS)[number];

type FillPaneProps = {
  /** Name of the zone that gets a clicked item; undefined if no zone has room. */
  target: string | undefined;
  onFill: (fill: Fill) => void;
  /** Called when an item is dragged, and with null when the drag ends. */
  onHold: (fill: Fill | null) => void;
};

/**
 * Pane with contents that a zone can show permanently. A clicked item goes into the target zone, a dragged item into
 * the zone where it is dropped.
 */
export function FillPane({ target, onFill, onHold }: FillPaneProps) {
  const { t } = useTranslation();
  const canShow = useCanShow();
  const kinds: readonly Kind[] = canShow ? KINDS : ['playlists'];
  const [chosen, setKind] = useState<Kind>('content');
  const kind = kinds.includes(chosen) ? chosen : kinds[0]!;
  const library = useContentLibrary();
  const { text } = library;
  const list = useOneStop<HTMLUListElement>();
  const wanted = (name: string) => name.toLowerCase().includes(text.trim().toLowerCase());
  const playlists = (useQuery(playlistsQuery).data ?? []).filter(({ name }) => wanted(name));
  const widgets = (useQuery(widgetsQuery).data ?? []).filter(({ name }) => wanted(name));
  const entry = (key: Fill['key'], id: string, name: string, picture?: ReactNode) => (
    <Entry key={id} name={name} fill={{ key, id }} picture={picture} onFill={onFill} onHold={onHold} />
  );
  const none = { content: library.none, playlists: playlists.length === 0, widgets: widgets.length === 0 }[kind];
  return (
    <aside className="fill-pane" aria-label={t('layout.fill.title')}>
      <header>
        <h2>{t('layout.fill.title')}</h2>
        <p className="field-hint" aria-live="polite">
          {target === undefined ? t('layout.fill.noTarget') : t('layout.fill.into', { name: target })}
        </p>
      </header>
      {canShow ? (
        <NewWidgets onMade={({ id }) => onFill({ key: 'widget_id', id })} isDisabled={target === undefined} />
      ) : (
        <p className="field-hint">{t('approval.neededShort')}</p>
      )}
      <Segments
        label={t('layout.fill.kind')}
        value={kind}
        onChange={setKind}
        options={kinds.map((value) => ({ value, label: t(`layout.fill.kinds.${value}`) }))}
      />
      <SearchField label={t('layout.fill.search')} value={text} onChange={library.setText} />
      {none && <p className="field-hint">{t('layout.fill.none')}</p>}
      <ul {...list}>
        {kind === 'content' &&
          library.contents.map((one) =>
            entry('content_id', one.id, one.filename, <ContentThumb content={one} small />),
          )}
        {kind === 'content' && library.end}
        {kind === 'playlists' &&
          playlists.map(({ id, name }) => entry('playlist_id', id, name, <ListVideo aria-hidden />))}
        {kind === 'widgets' && widgets.map(({ id, name }) => entry('widget_id', id, name, <Type aria-hidden />))}
      </ul>
    </aside>
  );
}

type EntryProps = { name: string; fill: Fill; picture: ReactNode } & Pick<FillPaneProps, 'onFill' | 'onHold'>;

function Entry({ name, fill, picture, onFill, onHold }: EntryProps) {
  const { t } = useTranslation();
  return (
    <li draggable onDragStart={() => onHold(fill)} onDragEnd={() => onHold(null)}>
      <button type="button" aria-label={t('layout.fill.put', { name })} onClick={() => onFill(fill)}>
        <span className="fill-picture">{picture}</span>
        <span className="fill-name">{name}</span>
      </button>
    </li>
  );
}

/** Style of a line of text that scrolls endlessly from right to left. */
const TICKER_CSS =
  'body { padding: 0; overflow: hidden; display: flex; align-items: center } p { margin: 0; white-space: nowrap; font-size: 50vh; line-height: 1.3; animation: run 30s linear infinite } @keyframes run { from { transform: translateX(100vw) } to { transform: translateX(-100%) } }';

const MAKES = {
  clock: { icon: CalendarClock, widget_type: 'clock', config: () => ({}) },
  ticker: {
    icon: MoveHorizontal,
    widget_type: 'text',
    config: (text: string) => ({ html: `<p>${text}</p>`, css: TICKER_CSS, overflow: 'clip' }),
  },
  text: { icon: Type, widget_type: 'text', config: (text: string) => ({ html: `<p>${text}</p>` }) },
} as const satisfies Record<
  string,
  { icon: LucideIcon; widget_type: Widget['widget_type']; config: (text: string) => Record<string, unknown> }
>;
const MADE = ['clock', 'ticker', 'text'] as const;

/** Creates a widget of a usual kind without leaving the page. Its text is edited on the widgets page. */
function NewWidgets({ onMade, isDisabled }: { onMade: (widget: Widget) => void; isDisabled: boolean }) {
  const { t } = useTranslation();
  const make = useEdit<(typeof MADE)[number], Widget>({
    topics: ['widgets'],
    run: (what) => {
      const { widget_type, config } = MAKES[what];
      const name = t(`layout.fill.makes.${what}`);
      return client.call(createWidget, { body: { widget_type, name, config: config(t('layout.fill.words')) } });
    },
    done: onMade,
  });
  return (
    <fieldset className="fill-new" aria-label={t('layout.fill.make')}>
      {MADE.map((what) => (
        <Button
          key={what}
          size="small"
          icon={MAKES[what].icon}
          isDisabled={isDisabled || make.isPending}
          aria-label={t('layout.fill.makeNamed', { name: t(`layout.fill.makes.${what}`) })}
          onPress={() => make.mutate(what)}
        >
          {t(`layout.fill.makes.${what}`)}
        </Button>
      ))}
    </fieldset>
  );
}
