import './Drawing.css';

/** Shows an SVG file of the folder `drawings`. Hidden from screen readers: text beside it has all the information. */
export function Drawing({ svg }: { svg: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of ours; within the page it has the colours of the theme
  return <div className="drawing" dangerouslySetInnerHTML={{ __html: svg }} />;
}
