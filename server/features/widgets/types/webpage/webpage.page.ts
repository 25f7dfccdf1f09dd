import { el, hint, settingsOf, stage } from '../../pages/base.ts';
import './webpage.css';

const settings = settingsOf<'webpage'>();
/** Milliseconds for which the old page stays beneath the new page after the new page has loaded. */
const OVERLAP_MS = 300;
const MIN_REFRESH_S = 5;

/**
 * Opens the web page with a zoom: the frame has a smaller layout and is enlarged, because a page of another origin
 * cannot be zoomed otherwise.
 */
const open = () => {
  const zoom = settings.zoom / 100;
  const frame = el('iframe', { class: 'web', title: 'Web page', referrerpolicy: 'no-referrer', allow: 'autoplay *' });
  Object.assign(frame.style, { width: `${100 / zoom}vw`, height: `${100 / zoom}vh`, transform: `scale(${zoom})` });
  frame.src = settings.url;
  return frame;
};

const openAgain = () => {
  if (!navigator.onLine) return;
  const old = [...stage.children];
  const fresh = open();
  const removeOld = () => {
    for (const frame of old) frame.remove();
  };
  fresh.addEventListener('load', () => setTimeout(removeOld, OVERLAP_MS), { once: true });
  stage.append(fresh);
};

if (settings.url) {
  stage.append(open());
  if (settings.refresh_interval > 0) setInterval(openAgain, Math.max(MIN_REFRESH_S, settings.refresh_interval) * 1000);
} else hint('Enter the address of a page');
