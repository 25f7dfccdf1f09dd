import './Drawing.css';

/** Draws a file of the folder `drawings`. Decorative: the text beside it has all information. */
export function Drawing({ svg }: { svg: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of ours; within the page it has the colours of the theme
  return <div className="drawing" dangerouslySetInnerHTML={{ __html: svg }} />;
}
