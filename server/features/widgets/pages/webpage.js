/* Zoomed by laying the page out smaller and enlarging it: a page of another origin cannot be told to zoom. */
const zoom = settings.zoom / 100;
const open = () => {
  const frame = el('iframe', { class: 'web', title: 'Web page', referrerpolicy: 'no-referrer', allow: 'autoplay *' });
  Object.assign(frame.style, { width: `${100 / zoom}vw`, height: `${100 / zoom}vh`, transform: `scale(${zoom})` });
  frame.src = settings.url;
  return frame;
};
if (settings.url) {
  stage.append(open());
  if (settings.refresh_interval > 0) {
    setInterval(() => {
      if (!navigator.onLine) return;
      const old = [...stage.children];
      const fresh = open();
      /* The old one stays beneath until the new one is there. */
      fresh.addEventListener(
        'load',
        () =>
          setTimeout(() => {
            for (const frame of old) frame.remove();
          }, 300),
        { once: true },
      );
      stage.append(fresh);
    }, Math.max(5, settings.refresh_interval) * 1000);
  }
} else hint('Enter the address of a page');
