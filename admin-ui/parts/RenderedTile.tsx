import { Scaled } from './Scaled.tsx';

const SCREEN = { width: 1920, height: 1080 };

/**
 * A page that the server makes, as the picture on a tile. `version` makes a new address when it has changed: else the
 * frame would keep the old page.
 */
export function RenderedTile({ name, url, version }: { name: string; url: string; version: number }) {
  return (
    <Scaled size={SCREEN}>
      {(style) => (
        <iframe
          title={name}
          src={`${url}?v=${version}`}
          loading="lazy"
          sandbox="allow-scripts"
          tabIndex={-1}
          aria-hidden
          inert
          style={style}
        />
      )}
    </Scaled>
  );
}
