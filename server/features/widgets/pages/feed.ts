/** Shared code of feed pages. */
import type { WidgetData } from '../../../../shared/contract/content/widgets.ts';
import { ageNote, hint, onData, onResize } from './base.ts';

export type Feed = NonNullable<WidgetData['feed']>;

/** Seconds after which the page shows the age of the feed. */
const FRESH = 3600;

/** Draws the feed once it has entries, and again on each change. Shows a hint until then. */
export const onFeed = (address: string, draw: (feed: Feed) => void): void => {
  let feed: Feed | undefined;
  let age = 0;
  onData((data) => {
    feed = data?.feed;
    if (!feed?.items.length) {
      hint(feed ? 'The feed is empty' : address ? 'Waiting for the feed' : 'Enter the address of a feed', data?.error);
      feed = undefined;
      return;
    }
    draw(feed);
    const note = () => ageNote(data?.fetched_at ?? null, FRESH);
    note();
    clearInterval(age);
    age = window.setInterval(note, 60_000);
  });
  onResize(() => feed && draw(feed));
};
