/** Stories of components/keyboard: hooks for keyboard navigation, to try by hand. */
import { useRef, useState } from 'react';
import { Button } from '../../components/controls/Button.tsx';
import { useHistory } from '../../components/hooks/useHistory.ts';
import { useCardKeys } from '../../components/keyboard/useCardKeys.ts';
import { useFocusKept } from '../../components/keyboard/useFocusKept.ts';
import { useOneStop } from '../../components/keyboard/useOneStop.ts';
import { useUndoKeys } from '../../components/keyboard/useUndoKeys.ts';
import '../../components/lists/Tile.css';
import { component, nothing, type Say, type Section } from './story.tsx';

function OneStop({ say }: { say: Say }) {
  const keys = useOneStop<HTMLDivElement>();
  return (
    <>
      <p>{say('One Tab stop. Arrow keys move.', 'Ein Tab-Halt. Pfeiltasten bewegen.')}</p>
      <div className="story-row" {...keys}>
        {Array.from({ length: 9 }, (_, i) => i + 1).map((number) => (
          <Button key={number} size="small">
            {`${say('Till', 'Kasse')} ${number}`}
          </Button>
        ))}
      </div>
    </>
  );
}

const CARDS = 6;
const COLUMNS = 3;
function CardKeys({ say }: { say: Say }) {
  const box = useRef<HTMLDivElement>(null);
  const kept = useRef<number>(undefined);
  const keys = useCardKeys({
    box,
    kept,
    count: CARDS,
    columns: COLUMNS,
    seen: { first: 0, last: CARDS - 1 },
    reveal: nothing,
  });
  return (
    <>
      <p>{say('Arrow keys, Home and End move between cards.', 'Pfeiltasten, Pos1 und Ende wechseln die Karte.')}</p>
      <div
        ref={box}
        style={{ display: 'grid', gridTemplateColumns: `repeat(${COLUMNS}, minmax(0, 1fr))`, gap: 'var(--s3)' }}
        {...keys}
      >
        {Array.from({ length: CARDS }, (_, i) => i).map((i) => (
          <div key={i} data-card={i} data-key={i}>
            <a className="tile" href="#keyboard">
              {`${say('Till', 'Kasse')} ${i + 1}`}
            </a>
          </div>
        ))}
      </div>
    </>
  );
}

function UndoKeys({ say }: { say: Say }) {
  const history = useHistory(0, undefined);
  useUndoKeys(history);
  return (
    <>
      <p>{say('Ctrl+Z undoes, Ctrl+Y redoes.', 'Strg+Z macht rückgängig, Strg+Y wiederholt.')}</p>
      <div className="story-row">
        <Button onPress={() => history.change((count) => count + 1)}>{say('Count', 'Zählen')}</Button>
        <output>{history.value}</output>
      </div>
    </>
  );
}

function FocusKept({ say }: { say: Say }) {
  const [names, setNames] = useState([1, 2, 3, 4]);
  useFocusKept();
  return (
    <>
      <p>
        {say(
          'Press Enter on a button: the button disappears, and the next button has the focus.',
          'Enter auf einer Schaltfläche drücken: Sie verschwindet, und die nächste hat den Fokus.',
        )}
      </p>
      <div className="story-row">
        {names.map((number) => (
          <Button key={number} size="small" onPress={() => setNames(names.filter((other) => other !== number))}>
            {`${say('Remove', 'Entfernen')} ${number}`}
          </Button>
        ))}
        <Button size="small" variant="quiet" onPress={() => setNames([1, 2, 3, 4])}>
          {say('Start again', 'Neu beginnen')}
        </Button>
      </div>
    </>
  );
}

export const keyboard: Section = {
  folder: 'keyboard',
  shown: [
    component('useOneStop', { normal: (say) => <OneStop say={say} /> }),
    component('useCardKeys', { normal: (say) => <CardKeys say={say} /> }),
    component('useUndoKeys', { normal: (say) => <UndoKeys say={say} /> }),
    component('useFocusKept', { normal: (say) => <FocusKept say={say} /> }),
  ],
};
