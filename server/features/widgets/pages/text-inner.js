(() => {
  /* Lengths in people's styles are pixels of a 1080-line screen. */
  const root = document.documentElement;
  const unit = () => Math.max(Math.min(innerWidth, innerHeight) / 1080, Math.max(innerWidth, innerHeight) / 1920);
  const SCROLL_PER_SECOND = 60;
  /* What loads or leads elsewhere by itself, or would be an empty box under our policy. */
  const ELSEWHERE = 'meta, base, link, iframe, frame, frameset, fencedframe, portal, object, embed, applet, script';
  const LEADING = ['target', 'action', 'formaction', 'formtarget', 'ping', 'download'];
  const write = () => {
    const { content } = Object.assign(document.createElement('template'), { innerHTML: JSON.parse(document.getElementById('written').textContent) });
    for (const each of content.querySelectorAll(ELSEWHERE)) each.remove();
    for (const name of LEADING) for (const each of content.querySelectorAll(`[${name}]`)) each.removeAttribute(name);
    document.body.append(content);
  };
  const arrange = () => {
    const { body } = document;
    const mode = body.dataset.overflow;
    let zoom = unit();
    const apply = () => {
      root.style.zoom = String(zoom);
      body.style.minHeight = `${innerHeight / zoom}px`;
    };
    apply();
    const over = () => Math.max(root.scrollHeight / root.clientHeight, root.scrollWidth / root.clientWidth);
    if (mode === 'fit') {
      /* Narrower lines after each step: closes in on the largest size that fits. */
      for (let i = 0, low = zoom / 40, high = zoom; i < 9 && (over() > 1.002) | (i > 0); i++) {
        if (over() > 1.002) high = zoom;
        else low = zoom;
        zoom = (low + high) / 2;
        apply();
        if (i === 8 && over() > 1.002) {
          zoom = low;
          apply();
        }
      }
    }
    for (const run of body.getAnimations()) run.cancel();
    const excess = (root.scrollHeight - root.clientHeight) / 1;
    if (mode !== 'scroll' || excess <= 2) return;
    const travel = (excess / (SCROLL_PER_SECOND * unit())) * 1000;
    const rest = 4000;
    const total = travel + 2 * rest;
    const end = `translateY(${-excess / zoom}px)`;
    body.animate(
      [
        { transform: 'none', offset: 0 },
        { transform: 'none', offset: rest / total },
        { transform: end, offset: (rest + travel) / total },
        { transform: end, offset: 1 },
      ],
      { duration: total, iterations: Infinity },
    );
  };
  addEventListener('DOMContentLoaded', () => {
    write();
    arrange();
    addEventListener('resize', arrange);
    document.fonts.ready.then(arrange);
    addEventListener('load', arrange);
    for (const name of ['click', 'submit', 'contextmenu', 'dragstart']) addEventListener(name, (event) => event.preventDefault(), true);
  });
})();
