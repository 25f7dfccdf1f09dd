import type { Page } from 'playwright';

export interface DroppedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Drags files from another program over the selector's element until the page shows the given words. */
export const holdFiles = async (page: Page, over: string, files: readonly DroppedFile[], words: string) => {
  const dataTransfer = await page.evaluateHandle(
    (files) => {
      const transfer = new DataTransfer();
      for (const { name, type, base64 } of files) {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type }));
      }
      return transfer;
    },
    files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString('base64') })),
  );
  const place = page.locator(over).last();
  // A browser sends dragover every few milliseconds while files are dragged over the page.
  const held = page.getByText(words);
  while (!(await held.isVisible())) {
    await place.dispatchEvent('dragover', { dataTransfer });
    await page.waitForTimeout(50);
  }
  return { drop: () => place.dispatchEvent('drop', { dataTransfer }), held };
};
