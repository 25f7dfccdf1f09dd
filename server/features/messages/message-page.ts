/** Renders the page of a message. */
import { type DrawnMessage, templateColors } from '../../../shared/contract/screens/messages.ts';
import { type PageDocument, pageKind, renderPage } from '../widgets/pages/document.ts';

export const messageKind = pageKind('message');

/** Settings of the page of a message. The same texts give the same bytes. */
export interface MessageSettings {
  readonly template: DrawnMessage['template'];
  readonly title: string;
  readonly text: string;
}

export const messagePage = ({ template, title, text, colors }: DrawnMessage): PageDocument => {
  const { background, text: color } = colors ?? templateColors[template];
  const settings: MessageSettings = { template, title: title?.trim() ?? '', text: text?.trim() ?? '' };
  return renderPage({
    kind: messageKind(),
    title: settings.title || settings.text.slice(0, 80),
    locale: null,
    theme: '',
    colors: { background, color },
    settings,
  });
};
