/** An empty page that is replaced by the page that its parent frame posts. */
addEventListener('message', ({ source, data }: MessageEvent) => {
  if (source !== parent || data?.type !== 'vitrine:preview' || typeof data.html !== 'string') return;
  document.open();
  document.write(data.html);
  document.close();
});
parent.postMessage({ type: 'vitrine:preview-ready' }, '*');
