/** Building blocks of stories. */
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../components/controls/Button.tsx';

/** Returns the sample text of the chosen language. */
export type Say = (english: string, german: string) => string;
type Story = (say: Say) => ReactNode;

export interface Shown {
  /** Name of the exported component or hook. */
  readonly name: string;
  /** Whether each state needs the width of the page. */
  readonly isWide: boolean;
  readonly states: Readonly<Record<string, Story>>;
}

/** The stories of one folder of components. */
export interface Section {
  readonly folder: string;
  readonly shown: readonly Shown[];
}

/** Declares the stories of a component, by state. `gallery.test.ts` reads these names. */
export const component = (name: string, states: Shown['states'], { isWide = false } = {}): Shown => ({
  name,
  states,
  isWide,
});

type HoldsProps<V> = { start: V; children: (value: V, set: (value: V) => void) => ReactNode };

/** Stores the value of a controlled component. */
export function Holds<V>({ start, children }: HoldsProps<V>) {
  const [value, set] = useState(start);
  return children(value, set);
}

type AsProps = { state: 'hover' | 'focus' | 'pressed'; of: string; children: ReactNode };

/** Shows the elements that match the selector `of` as if they had the state. */
export function As({ state, of, children }: AsProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    for (const element of box.current?.querySelectorAll<HTMLElement>(of) ?? []) element.dataset['as'] = state;
  });
  return (
    <div className="story-as" ref={box}>
      {children}
    </div>
  );
}

/** Marks a control that opens an overlay. The test presses the control and takes a picture of the overlay. */
export function Opener({ children }: { children: ReactNode }) {
  return (
    <div className="story-as" data-opens>
      {children}
    </div>
  );
}

/** A button that mounts an overlay. */
export function Opens({ children }: { children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Opener>
      <Button onPress={() => setOpen(true)}>Open</Button>
      {isOpen && children(() => setOpen(false))}
    </Opener>
  );
}

/** A text that is longer than any room. */
export const longText = (say: Say): string =>
  say(
    'Winter window of the branch at the old market hall, second floor, behind the escalators on the left',
    'Winterschaufenster der Filiale in der alten Markthalle, zweites Obergeschoss, links hinter den Rolltreppen',
  );

/** A label of a button at its longest. Labels do not wrap in a wide browser window. */
export const longLabel = (say: Say): string => say('Show all offline screens', 'Alle Bildschirme ohne Verbindung');

/** A word without a place to break. */
export const longWord = (say: Say): string =>
  say('customer_loyalty_programme_announcement_2027_final.jpg', 'Kundenbindungsprogrammankündigungsbildschirm2027.jpg');

/** Does nothing. The story shows a state that does not change. */
export const nothing = (): void => {};
