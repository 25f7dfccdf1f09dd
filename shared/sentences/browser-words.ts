/**
 * Removes technical words of a browser from a screen's message about an item. Screens of version 0.1 sent them in
 * brackets after the sentence: `the video cannot be played (PipelineStatus::DEMUXER_ERROR_COULD_NOT_OPEN: …)`.
 */

/** Words that only programs use: names of Chromium, Firefox and their media libraries, and codes. */
const WORDS =
  /PipelineStatus|(?:DEMUXER|DECODER|PIPELINE|CHUNK_DEMUXER|MEDIA)_ERROR|FFmpeg|NS_ERROR|net::ERR_|MEDIA_ELEMENT_ERROR|\(code \d+\)|Failed to (?:fetch|execute|load)|NetworkError when|is not a function|Cannot read propert/;
const CANNOT_SHOW = 'the browser of this screen cannot show this content';

/** Returns the sentence without technical words of a browser. If nothing else remains, returns a general sentence. */
export const withoutBrowserWords = (message: string): string => {
  const at = WORDS.exec(message)?.index;
  if (at === undefined) return message;
  const before = message.slice(0, at);
  const bracket = message.slice(0, at + 1).lastIndexOf(' (');
  if (bracket > 0) return before.slice(0, bracket);
  // Keeps the name of the item: "Offers.mp4" in "Offers.mp4: net::ERR_FAILED".
  const colon = before.lastIndexOf(': ');
  return colon > 0 ? `${before.slice(0, colon)}: ${CANNOT_SHOW}` : CANNOT_SHOW;
};
