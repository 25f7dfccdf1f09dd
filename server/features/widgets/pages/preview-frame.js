(() => {
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data?.type !== 'vitrine:preview' || typeof data.html !== 'string') return;
    document.open();
    document.write(data.html);
    document.close();
  });
  parent.postMessage({ type: 'vitrine:preview-ready' }, '*');
})();
