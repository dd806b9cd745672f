import { FileArchive, FileDown, Film, Play } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import type { components } from '#openapi/schema.gen.ts'
import { classNames } from '#src/ui/class-names.ts'
import { BlobImage } from './BlobImage.tsx'

type Output = Extract<components['schemas']['Output'], { kind: 'download-button' }>

export interface OutputPreviewProps {
  readonly output: Output
  readonly isOnline: boolean
  /**
   * The picture of the source video, kept on this device; stands in for a video's own first
   * picture.
   */
  readonly sourcePicture: Blob | null
}

/**
 * Shows a result before it is downloaded: pictures and GIFs at once; of a video its first picture,
 * and the video when asked for. Without network the source's picture stands for a video; a sign for
 * archives and everything else.
 */
export function OutputPreview({ output, isOnline, sourcePicture }: OutputPreviewProps) {
  const [isPlaying, setIsPlaying] = useState(false)
  const [isFailed, setIsFailed] = useState(false)
  const address = inlineAddress(output.downloadUrl)
  const isVideo = output.contentType.startsWith('video/')
  if (isFailed)
    return (
      <Tile>
        <p className="px-4 text-center text-sm">The preview could not be loaded.</p>
      </Tile>
    )
  if (isOnline && output.contentType.startsWith('image/')) {
    return (
      <Tile>
        <img
          src={address}
          alt={`Preview of ${output.fileName}`}
          loading="lazy"
          decoding="async"
          onError={() => setIsFailed(true)}
          className="absolute inset-0 size-full object-contain"
        />
      </Tile>
    )
  }
  if (isOnline && isVideo && isPlaying) {
    return (
      <Tile>
        <video
          src={address}
          controls
          autoPlay
          playsInline
          preload="metadata"
          aria-label={`Preview of ${output.fileName}`}
          onError={() => setIsFailed(true)}
          className="absolute inset-0 size-full bg-black object-contain"
        />
      </Tile>
    )
  }
  if (isVideo) {
    return (
      <Tile>
        <VideoPicture address={isOnline ? address : null} sourcePicture={sourcePicture} />
        {isOnline ? (
          <Button
            onPress={() => setIsPlaying(true)}
            aria-label={`Play ${output.fileName}`}
            className="relative grid size-14 cursor-pointer place-items-center rounded-full bg-gradient-accent text-on-accent shadow-accent transition hover:brightness-110"
          >
            <Play aria-hidden className="size-6 translate-x-0.5 fill-current" />
          </Button>
        ) : null}
      </Tile>
    )
  }
  return (
    <Tile>
      {output.contentType === 'application/zip' ? (
        <FileArchive aria-hidden className="size-9" />
      ) : (
        <FileDown aria-hidden className="size-9" />
      )}
    </Tile>
  )
}

/**
 * The first picture of a video; until it is there, or without an address, the source's picture,
 * else a sign.
 */
function VideoPicture({
  address,
  sourcePicture,
}: {
  readonly address: string | null
  readonly sourcePicture: Blob | null
}) {
  const [shownAddress, setShownAddress] = useState<string | null>(null)
  const isShown = address !== null && shownAddress === address
  return (
    <>
      {isShown ? null : sourcePicture === null ? (
        <Film
          aria-hidden
          className={classNames('absolute inset-0 m-auto size-9', address !== null && 'opacity-0')}
        />
      ) : (
        <BlobImage
          blob={sourcePicture}
          alt=""
          className="absolute inset-0 size-full object-cover"
        />
      )}
      {address === null ? null : (
        // The moment in the address makes Safari paint a picture too.
        <video
          src={`${address}#t=0.1`}
          muted
          playsInline
          preload="metadata"
          aria-hidden
          tabIndex={-1}
          onLoadedData={() => setShownAddress(address)}
          className={classNames(
            'absolute inset-0 size-full object-contain',
            !isShown && 'opacity-0',
          )}
        />
      )}
    </>
  )
}

function Tile({ children }: { readonly children: ReactNode }) {
  return (
    <div className="relative grid aspect-video place-items-center overflow-hidden rounded-control bg-surface-sunken text-ink-faint">
      {children}
    </div>
  )
}

/** The same download, shown instead of saved. */
function inlineAddress(downloadUrl: string): string {
  return `${downloadUrl}${downloadUrl.includes('?') ? '&' : '?'}inline=1`
}
