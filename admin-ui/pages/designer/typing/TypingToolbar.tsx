import { Bold, Italic, List, ListOrdered, type LucideIcon, Palette, Strikethrough, Underline } from 'lucide-react';
import type { Command } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { type CSSProperties, useRef } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { useTranslation } from 'react-i18next';
import type { Page } from '../../../../shared/design/design.ts';
import type { PageFormat } from '../../../../shared/design/page-formats.ts';
import { PARAGRAPH_STYLES } from '../../../../shared/design/rich-text.ts';
import { Select } from '../../../components/choices/Select.tsx';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import '../../../components/choices/Menu.css';
import { rectsIn } from '../edits.ts';
import { ColorChoice } from '../panels/ColorChoice.tsx';
import { SWITCHES, type SwitchName } from './richDoc.ts';
import { lookOf, setColor, setStyle, toggleList, toggleSwitch } from './typingCommands.ts';

const SWITCH_ICONS: Readonly<Record<SwitchName, LucideIcon>> = {
  bold: Bold,
  italic: Italic,
  underline: Underline,
  strike: Strikethrough,
};
const LIST_ICONS = { bullet: List, number: ListOrdered } as const;

/** Percent of the page's height that the toolbar takes above or below a text. */
const ROOM = 14;

/** Returns the place of the toolbar: above the text, below it, or below the page. It never covers the text. */
const placeOf = (page: Page, elementId: string, format: PageFormat): CSSProperties => {
  const rect = rectsIn(page, format).get(elementId);
  if (!rect) return { top: '100%' };
  const [right, bottom] = [rect.x + rect.width, rect.y + rect.height];
  const side = rect.x + right > 100 ? { right: `${100 - right}%` } : { left: `${rect.x}%` };
  if (rect.y >= ROOM) return { ...side, bottom: `${100 - rect.y}%` };
  return { ...side, top: bottom <= 100 - ROOM ? `${bottom}%` : '100%' };
};

type TypingToolbarProps = {
  view: EditorView;
  page: Page;
  elementId: string;
  format: PageFormat;
  onClose: () => void;
};

/** Style, bold, italic, underline, strike, lists and colour of the selected words. */
export function TypingToolbar({ view, page, elementId, format, onClose }: TypingToolbarProps) {
  const { t } = useTranslation();
  const look = lookOf(view.state);
  /** Whether a style was chosen, so that the focus continues from the closing list to the words. */
  const isChosen = useRef(false);
  const run = (command: Command) => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  const toggle = (icon: LucideIcon, label: string, isOn: boolean, command: Command) => (
    <IconButton
      key={label}
      icon={icon}
      size="small"
      label={label}
      aria-pressed={isOn}
      variant={isOn ? 'secondary' : 'quiet'}
      onPress={() => run(command)}
    />
  );
  return (
    <div
      className="typing-toolbar"
      role="toolbar"
      aria-label={t('designer.text.toolbar')}
      style={placeOf(page, elementId, format)}
      onFocus={() => {
        if (isChosen.current) view.focus();
        isChosen.current = false;
      }}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && onClose()}
    >
      <Select
        label={t('designer.text.style')}
        hideLabel
        placeholder={t('designer.text.mixed')}
        value={look.style}
        options={PARAGRAPH_STYLES.map((value) => ({ value, label: t(`designer.text.styles.${value}`) }))}
        onChange={(style) => {
          isChosen.current = true;
          setStyle(style)(view.state, view.dispatch, view);
        }}
      />
      {SWITCHES.map((name) =>
        toggle(SWITCH_ICONS[name], t(`designer.text.${name}`), look.on.has(name), toggleSwitch(name)),
      )}
      {(['bullet', 'number'] as const).map((list) =>
        toggle(LIST_ICONS[list], t(`designer.text.${list}`), look.list === list, toggleList(list)),
      )}
      <DialogTrigger>
        <IconButton icon={Palette} size="small" label={t('designer.text.wordColor')} />
        <Popover className="popover typing-colors" placement="bottom end">
          <Dialog aria-label={t('designer.text.wordColor')} className="form">
            {({ close }) => (
              <>
                <ColorChoice
                  label={t('designer.text.wordColor')}
                  value={look.color ?? 'ink'}
                  onChange={(color) => setColor(color)(view.state, view.dispatch, view)}
                />
                <Button
                  size="small"
                  onPress={() => {
                    run(setColor(null));
                    close();
                  }}
                >
                  {t('designer.text.noColor')}
                </Button>
              </>
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
    </div>
  );
}
