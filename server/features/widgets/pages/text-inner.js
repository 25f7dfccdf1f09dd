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
  const blockOf = (node) => {
    let block = node.parentElement;
    while (block !== document.body && /^(inline$|contents$|ruby|none$)/.test(getComputedStyle(block).display)) block = block.parentElement;
    return block;
  };
  /* Of what does not fit, a line that is cut through by the lower edge is left out: each block ends with its last whole line. */
  const ended = [];
  const endLines = () => {
    for (const { block, clipPath } of ended.splice(0)) block.style.clipPath = clipPath;
    /* In whatever unit rectangles are under a zoom. */
    const probe = document.createElement('i');
    probe.style.cssText = 'all: initial; position: fixed; inset: 0';
    root.append(probe);
    const edge = probe.getBoundingClientRect().bottom;
    probe.remove();
    const blocks = new Map();
    const range = document.createRange();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (!node.data.trim()) continue;
      range.selectNodeContents(node);
      const block = blockOf(node);
      blocks.set(block, [...(blocks.get(block) ?? []), ...range.getClientRects()]);
    }
    for (const [block, rects] of blocks) {
      const first = Math.min(...rects.filter(({ top, bottom }) => top < edge && bottom > edge + 1).map(({ top }) => top));
      /* A single line that is larger than the screen is better than nothing. */
      if (first === Infinity || first <= 0) continue;
      /* Narrow lines reach into each other; what hangs down from the one above is its own. */
      const cut = Math.max(first, ...rects.filter(({ top, bottom }) => bottom <= edge && (top + bottom) / 2 < first).map(({ bottom }) => bottom));
      const { top, bottom } = block.getBoundingClientRect();
      ended.push({ block, clipPath: block.style.clipPath });
      block.style.clipPath = `inset(-100vmax -100vmax ${((bottom - cut) / Math.max(1, bottom - top)) * 100}% -100vmax)`;
    }
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
    if (mode === 'clip') endLines();
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
