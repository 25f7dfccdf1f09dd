import { type CSSProperties, useEffect, useRef, useState } from 'react';
import type { Endpoint } from '../../../shared/contract/endpoint.ts';
import { ownServer } from '../../api/requests/client.ts';
import { Spinner } from '../../components/controls/Spinner.tsx';
import { Scaled, type Size } from './Scaled.tsx';

type Pane = { readonly n: number; readonly html: string; readonly drawn: boolean };

type PreviewFrameProps = {
  title: string;
  /**
   * The empty sandboxed page that receives the HTML: the content security policy of the admin window would block
   * scripts in a srcdoc.
   */
  frame: Endpoint;
  html: string | undefined;
  size: Size;
  isBusy: boolean;
};

/**
 * Milliseconds. The old page is removed once the new page has had time to be drawn, so that the preview does not
 * flicker while typing.
 */
const SETTLE_MS = 250;

/** Shows a page of the server as a screen shows it. The page has an opaque origin and no access to the admin window. */
export function PreviewFrame({ title, frame, html, size, isBusy }: PreviewFrameProps) {
  const { panes, settling, drawn } = usePanes(html);
  return (
    <Scaled
      size={size}
      over={
        (isBusy || settling) && (
          <span className="scaled-busy">
            <Spinner />
          </span>
        )
      }
    >
      {(style) => <Panes {...{ title, frame, panes, drawn, style }} />}
    </Scaled>
  );
}

/**
 * Shows a page of the server without a screen around it and without interaction. Each new page replaces the previous
 * page once it is drawn.
 */
export function PreviewPages({
  style,
  html,
  ...page
}: Pick<PreviewFrameProps, 'title' | 'frame' | 'html'> & { style: CSSProperties }) {
  const { panes, drawn } = usePanes(html);
  return <Panes {...page} panes={panes} drawn={drawn} style={style} isPicture />;
}

const usePanes = (html: string | undefined) => {
  const [panes, setPanes] = useState<readonly Pane[]>([]);
  useEffect(() => {
    if (html === undefined) return;
    // Keeps the page that is visible and the newest page. Other pages that are not drawn yet are dropped.
    setPanes((now) => [
      ...now.filter((pane) => pane.drawn).slice(-1),
      { n: (now.at(-1)?.n ?? 0) + 1, html, drawn: false },
    ]);
  }, [html]);
  const settling = html !== undefined && (panes.at(-1)?.html !== html || panes.some((pane) => !pane.drawn));
  const drawn = (n: number) =>
    setPanes((now) =>
      now.filter((pane) => pane.n >= n).map((pane) => (pane.n === n ? { ...pane, drawn: true } : pane)),
    );
  return { panes, settling, drawn };
};

type PanesProps = Pick<PaneProps, 'title' | 'frame' | 'style' | 'isPicture'> & {
  panes: readonly Pane[];
  drawn: (n: number) => void;
};

function Panes({ panes, drawn, ...page }: PanesProps) {
  return panes.map((pane) => (
    <PreviewPane key={pane.n} {...page} html={pane.html} onDrawn={() => drawn(pane.n)} isTop={pane === panes.at(-1)} />
  ));
}

type PaneProps = {
  title: string;
  frame: Endpoint;
  html: string;
  style: CSSProperties;
  isTop: boolean;
  /** True if the frame is only a picture, so that the Tab key skips it. */
  isPicture?: boolean;
  onDrawn: () => void;
};

/** Shows a page in its own frame. Give each page its own React `key`, because another page needs another frame. */
export function PreviewPane({ title, frame, html, style, isTop, isPicture = false, onDrawn }: PaneProps) {
  const element = useRef<HTMLIFrameElement>(null);
  const done = useRef(onDrawn);
  done.current = onDrawn;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listen = (event: MessageEvent) => {
      if (
        event.source !== element.current?.contentWindow ||
        (event.data as { type?: unknown } | null)?.type !== 'vitrine:preview-ready'
      )
        return;
      // Sent without a target origin, since the frame's origin is opaque.
      element.current?.contentWindow?.postMessage({ type: 'vitrine:preview', html }, '*');
      timer = setTimeout(() => done.current(), SETTLE_MS);
    };
    addEventListener('message', listen);
    return () => {
      clearTimeout(timer);
      removeEventListener('message', listen);
    };
  }, [html]);
  return (
    <iframe
      ref={element}
      title={title}
      src={ownServer.url(frame)}
      sandbox="allow-scripts allow-forms"
      style={style}
      {...(!isTop && { 'aria-hidden': true })}
      {...((!isTop || isPicture) && { tabIndex: -1 })}
    />
  );
}
