import { Scaled } from './Scaled.tsx';

const SCREEN = { width: 1920, height: 1080 };

/**
 * A page rendered by the server as the picture of a tile. `version` changes the address after an edit, because the
 * frame would keep the old page otherwise.
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
