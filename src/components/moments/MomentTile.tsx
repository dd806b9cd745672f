import { ImageOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { BlobImage } from '#src/ui/BlobImage.tsx'
import type { BoardPictures } from '#src/hooks/moments/use-board-pictures.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { pictureIn, tileOf, type UploadMoments } from '#src/local/edits/moment-boards.ts'

/** The picture with all tiles, and how it is divided. */
export interface Tiles {
  /** Null while it is loaded. */
  readonly address: string | null
  readonly pictures: UploadMoments['pictures']
  /** What this device makes itself, for moments without a tile; left out where it makes nothing. */
  readonly made?: BoardPictures & { readonly width: number; readonly height: number }
}

/** The picture of a stretch, cut out of the one with all of them. */
export function MomentTile({
  tiles: { address, pictures, made },
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
  const shape =
    pictures === null ? made : { width: pictures.tileWidth, height: pictures.tileHeight }
  const picture = made === undefined || isThere ? null : pictureIn(made.pictures, stretch)
  return (
    <span
      className="relative mx-auto block max-h-40 max-w-full overflow-hidden rounded-md bg-surface-sunken"
      style={{ aspectRatio: shape === undefined ? '16 / 9' : `${shape.width} / ${shape.height}` }}
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
        <OwnPicture picture={picture} isMaking={made?.isMaking === true} />
      )}
      {children}
    </span>
  )
}

/** A picture that this device has made, a place for one that it makes, or that there is none. */
function OwnPicture({
  picture,
  isMaking,
}: {
  readonly picture: Blob | null
  readonly isMaking: boolean
}) {
  if (picture !== null)
    return <BlobImage blob={picture} alt="" className="absolute inset-0 size-full object-cover" />
  if (isMaking)
    return <span aria-hidden className="absolute inset-0 animate-glow bg-surface-sunken" />
  return (
    <span aria-hidden className="absolute inset-0 grid place-items-center text-ink-muted">
      <ImageOff className="size-5" />
    </span>
  )
}
