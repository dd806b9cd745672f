import { ImageOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Stretch } from '#recipes/stretch.ts'
import { tileOf, type UploadMoments } from '#src/local/edits/moment-boards.ts'

/** The picture with all tiles, and how it is divided. */
export interface Tiles {
  /** Null while it is loaded. */
  readonly address: string | null
  readonly pictures: UploadMoments['pictures']
}

/** The picture of a stretch, cut out of the one with all of them. */
export function MomentTile({
  tiles: { address, pictures },
  stretch,
  children,
}: {
  readonly tiles: Tiles
  readonly stretch: Stretch
  /** What lies over the picture. */
  readonly children?: ReactNode
}) {
  const tile = pictures === null ? null : tileOf(pictures, stretch)
  const isThere = address !== null && pictures !== null && tile !== null
  const shape = pictures === null ? '16 / 9' : `${pictures.tileWidth} / ${pictures.tileHeight}`
  return (
    <span
      className="relative mx-auto block max-h-40 max-w-full overflow-hidden rounded-md bg-surface-sunken"
      style={{ aspectRatio: shape }}
    >
      {isThere ? (
        <img
          src={address}
          alt=""
          className="absolute h-auto max-w-none"
          style={{
            width: `${pictures.columns * 100}%`,
            left: `${tile.column * -100}%`,
            top: `${tile.row * -100}%`,
          }}
        />
      ) : (
        <span aria-hidden className="absolute inset-0 grid place-items-center text-ink-muted">
          <ImageOff className="size-5" />
        </span>
      )}
      {children}
    </span>
  )
}
