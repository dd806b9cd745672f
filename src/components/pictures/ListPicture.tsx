import { Eye, EyeOff } from 'lucide-react'
import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import type { Look } from './use-looks.ts'
import { isPlainAtom } from '#src/hooks/device/plain-look-atoms.ts'
import { mosaicOf } from '#src/local/db/mosaic.ts'
import { BlobImage } from '#src/ui/BlobImage.tsx'
import { classNames } from '#src/ui/class-names.ts'

export interface ListPictureProps {
  /** As this device has it; null where there is none (yet). */
  readonly picture: Blob | null
  /** Of what: a person's own name of it. */
  readonly name: string
  /** How the picture itself is brought where only its mosaic is drawn; null for no button. */
  readonly look: Look | null
  readonly className: string
  readonly alt?: string
  /** Stands where there is no picture. */
  readonly icon: ReactNode
}

/**
 * A picture of a video or an asset in a list. Where the user of the device is discreet, it is a
 * mosaic, and the picture itself is shown on a press, in memory only, until the next press or until
 * the page is out of sight ([Note: mosaics] in `local/db/images.ts`). Until the device has said so,
 * nothing is drawn. Stands in something `relative`.
 */
export function ListPicture({ picture, icon, alt = '', className, ...look }: ListPictureProps) {
  const isPlain = useAtomValue(isPlainAtom)
  if (picture === null || isPlain === null) return icon
  return isPlain ? (
    <Mosaic picture={picture} className={className} icon={icon} {...look} />
  ) : (
    <BlobImage blob={picture} alt={alt} className={className} />
  )
}

function Mosaic({
  picture,
  name,
  look,
  className,
  icon,
}: Omit<ListPictureProps, 'picture' | 'alt'> & { readonly picture: Blob }) {
  const mosaic = useMosaic(picture)
  const { shown, isMissing, press } = useLook(look)
  return (
    <>
      {mosaic === null ? (
        icon
      ) : (
        <BlobImage
          blob={mosaic}
          alt=""
          className={classNames(className, '[image-rendering:pixelated]')}
          onLoad={fillPlace}
        />
      )}
      {shown === null ? null : <BlobImage blob={shown} alt="" className={className} />}
      {look === null ? null : (
        <CoverButton
          label={shown === null ? `Show the picture of ${name}` : `Hide the picture of ${name}`}
          isAside={shown !== null}
          onPress={press}
        >
          {shown === null ? (
            <Eye aria-hidden className="size-4" />
          ) : (
            <EyeOff aria-hidden className="size-3" />
          )}
        </CoverButton>
      )}
      {isMissing ? (
        <span role="status" className="sr-only">
          There is no picture of {name} to show now.
        </span>
      ) : null}
    </>
  )
}

/**
 * A mosaic has whole rows of pixels: 14 where a wide picture has 13.5, which would leave bars
 * beside it.
 */
function fillPlace(mosaic: HTMLImageElement): void {
  const rows = (mosaic.naturalWidth * mosaic.clientHeight) / mosaic.clientWidth
  if (Math.abs(mosaic.naturalHeight - rows) < 1) mosaic.style.objectFit = 'fill'
}

/** The mosaic of what is stored, which may be one already; null until it is made. */
function useMosaic(picture: Blob): Blob | null {
  const [made, setMade] = useState<{ readonly of: Blob; readonly mosaic: Blob | null } | null>(null)
  useEffect(() => {
    let isLeft = false
    void mosaicOf(picture).then((mosaic) => {
      if (!isLeft) setMade({ of: picture, mosaic })
    })
    return () => {
      isLeft = true
    }
  }, [picture])
  return made?.of === picture ? made.mosaic : null
}

function useLook(look: Look | null) {
  const [shown, setShown] = useState<Blob | null>(null)
  const [isMissing, setIsMissing] = useState(false)
  useHiddenAway(shown !== null, () => setShown(null))
  const press = () => {
    if (shown !== null) return setShown(null)
    setIsMissing(false)
    void look?.().then((picture) => {
      setIsMissing(picture === null)
      if (document.visibilityState === 'visible') setShown(picture)
    })
  }
  return { shown, isMissing, press }
}

/**
 * What shows a file of a list as it is: at once, and where the user of the device is discreet on a
 * press. Stands in something `relative`.
 */
export function ShownOnPress({
  name,
  children,
}: {
  readonly name: string
  readonly children: ReactNode
}) {
  const isPlain = useAtomValue(isPlainAtom)
  const [isShown, setIsShown] = useState(false)
  useHiddenAway(isShown, () => setIsShown(false))
  if (isPlain === null) return null
  if (!isPlain || isShown) return children
  return (
    <CoverButton label={`Show ${name}`} onPress={() => setIsShown(true)}>
      <Eye aria-hidden className="size-6" />
    </CoverButton>
  )
}

/** Whether files of lists are drawn as they are; false until the device has said so. */
export function useIsDrawn(): boolean {
  return useAtomValue(isPlainAtom) === false
}

function CoverButton({
  label,
  isAside = false,
  onPress,
  children,
}: {
  readonly label: string
  /** Its mark leaves the middle to a picture that may be as small as a row. */
  readonly isAside?: boolean
  readonly onPress: () => void
  readonly children: ReactNode
}) {
  return (
    <Button
      aria-label={label}
      onPress={onPress}
      className={classNames(
        'absolute inset-0 grid size-full cursor-pointer rounded-[inherit]',
        isAside ? 'items-start justify-items-end p-1' : 'place-items-center',
      )}
    >
      <span
        className={classNames(
          'grid place-items-center rounded-full bg-black/60 text-white',
          isAside ? 'p-1' : 'p-1.5',
        )}
      >
        {children}
      </span>
    </Button>
  )
}

function useHiddenAway(isShown: boolean, hide: () => void): void {
  const onHidden = useEffectEvent(hide)
  useEffect(() => {
    if (!isShown) return undefined
    const listen = () => {
      if (document.visibilityState === 'hidden') onHidden()
    }
    document.addEventListener('visibilitychange', listen)
    return () => document.removeEventListener('visibilitychange', listen)
  }, [isShown])
}
