import { FileArchive, FileDown, Film, Play } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import type { components } from '#openapi/schema.gen.ts'
import { classNames } from '#src/ui/class-names.ts'
import { ListPicture, ShownOnPress, useIsDrawn } from '#src/components/pictures/ListPicture.tsx'

type Output = Extract<components['schemas']['Output'], { kind: 'download-button' }>

export interface OutputPreviewProps {
  readonly output: Output
  readonly isOnline: boolean
  /** The picture of the source video on this device; stands in for the first picture of a video. */
  readonly sourcePicture: Blob | null
  /** Of the file that this device keeps, which needs no network; null where there is none. */
  readonly keptAddress?: string | null
  readonly onPlay?: () => void
}

/**
 * Shows a result before it is downloaded: pictures and GIFs at once; of a video its first picture,
 * and the video on request. Without a network, the picture of the source stands for a video, and an
 * icon for archives and everything else.
 */
export function OutputPreview({
  output,
  isOnline,
  sourcePicture,
  keptAddress = null,
  onPlay,
}: OutputPreviewProps) {
  // Of one address: what failed from the network may be here later.
  const [failedAddress, setFailedAddress] = useState<string | null>(null)
  const address = keptAddress ?? (isOnline ? inlineAddress(output.downloadUrl) : null)
  const isFailed = address !== null && failedAddress === address
  const fail = () => setFailedAddress(address)
  const name = `Preview of ${output.fileName}`
  if (isFailed)
    return (
      <Tile output={output}>
        <p className="px-4 text-center text-sm">The preview could not be loaded.</p>
      </Tile>
    )
  if (address !== null && output.contentType.startsWith('image/'))
    return (
      <Tile output={output}>
        <ShownOnPress name={output.fileName}>
          <img
            src={address}
            alt={name}
            loading="lazy"
            decoding="async"
            onError={fail}
            className="absolute inset-0 size-full object-contain"
          />
        </ShownOnPress>
      </Tile>
    )
  if (output.contentType.startsWith('video/'))
    return (
      <VideoTile
        address={address}
        output={output}
        sourcePicture={sourcePicture}
        onPlay={onPlay}
        onError={fail}
      />
    )
  const Icon = output.contentType === 'application/zip' ? FileArchive : FileDown
  return (
    <Tile output={output}>
      <Icon aria-hidden className="size-9" />
    </Tile>
  )
}

interface VideoTileProps {
  /** Null without a network, where it is not kept. */
  readonly address: string | null
  readonly output: Output
  readonly sourcePicture: Blob | null
  readonly onPlay: (() => void) | undefined
  readonly onError: () => void
}

/** The first picture of a video with a button that plays it. */
function VideoTile({ address, output, sourcePicture, onPlay, onError }: VideoTileProps) {
  const { fileName } = output
  // What plays from the network goes on when the file is kept meanwhile.
  const [played, setPlayed] = useState<string | null>(null)
  const play = () => {
    setPlayed(address)
    onPlay?.()
  }
  if (address !== null && played !== null)
    return (
      <Tile output={output}>
        <video
          src={isKept(played) ? address : played}
          controls
          autoPlay
          playsInline
          preload="metadata"
          aria-label={`Preview of ${fileName}`}
          onError={onError}
          className="absolute inset-0 size-full bg-black object-contain"
        />
      </Tile>
    )
  return (
    <Tile output={output}>
      <VideoPicture address={address} sourcePicture={sourcePicture} />
      {address === null ? null : (
        <Button
          onPress={play}
          aria-label={`Play ${fileName}`}
          className="relative grid size-14 cursor-pointer place-items-center rounded-full bg-gradient-accent text-on-accent shadow-accent transition hover:brightness-110"
        >
          <Play aria-hidden className="size-6 translate-x-0.5 fill-current" />
        </Button>
      )}
    </Tile>
  )
}

/**
 * The first picture of a video; until it has loaded, without an address, and where no file is drawn
 * as it is, the stand-in.
 */
function VideoPicture({
  address: known,
  sourcePicture,
}: {
  readonly address: string | null
  readonly sourcePicture: Blob | null
}) {
  const address = useIsDrawn() ? known : null
  const [shownAddress, setShownAddress] = useState<string | null>(null)
  const isShown = address !== null && shownAddress === address
  return (
    <>
      {isShown ? null : <StandIn picture={sourcePicture} isHidden={address !== null} />}
      {address === null ? null : (
        // The time in the address makes Safari paint a picture too.
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

/**
 * The picture of the source video, else an icon. Out of focus, because the edit may hide what the
 * source shows. @param isHidden keeps the icon's place only
 */
function StandIn({
  picture,
  isHidden,
}: {
  readonly picture: Blob | null
  readonly isHidden: boolean
}) {
  return (
    <ListPicture
      picture={picture}
      name="the video"
      look={null}
      className="absolute inset-0 size-full scale-110 object-cover blur-md"
      icon={
        <Film
          aria-hidden
          className={classNames('absolute inset-0 m-auto size-9', isHidden && 'opacity-0')}
        />
      }
    />
  )
}

/** Shaped like the result, so that an upright one is not shown narrow; 16:9 where it is unknown. */
function Tile({
  output: { width, height },
  children,
}: {
  readonly output: Pick<Output, 'width' | 'height'>
  readonly children: ReactNode
}) {
  const shape = width === null || height === null ? '16 / 9' : `${width} / ${height}`
  return (
    <div
      style={{ aspectRatio: shape }}
      className="relative grid max-h-[70dvh] w-full place-items-center overflow-hidden rounded-control bg-surface-sunken text-ink-faint"
    >
      {children}
    </div>
  )
}

/** The download's address in the form that the browser shows instead of saving. */
function inlineAddress(downloadUrl: string): string {
  return `${downloadUrl}${downloadUrl.includes('?') ? '&' : '?'}inline=1`
}

/** Such an address ends with what it was made of. */
function isKept(address: string): boolean {
  return address.startsWith('blob:')
}
