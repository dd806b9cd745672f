import type { KeyboardEvent } from 'react'
import { BlobImage } from '#src/ui/BlobImage.tsx'
import { trimPlaceWords } from '#src/components/upload-words/trim-words.ts'
import { useBoardPictures } from '#src/hooks/moments/use-board-pictures.ts'
import { classNames } from '#src/ui/class-names.ts'
import type { Trim, TrimPlaces } from '#src/local/uploads/page/trim.ts'
import { leapOf, moveEnd, stepEnd, type TrimEnd } from './trim-moves.ts'

export interface TrimStripProps {
  readonly file: File
  readonly places: TrimPlaces
  readonly trim: Trim
  readonly onChange: (trim: Trim) => void
}

const PICTURES = 12

/** Pictures of the whole video with a handle at each end of what is sent. */
export function TrimStrip(props: TrimStripProps) {
  const { places, trim } = props
  const [left, right] = [trim.fromMs, trim.toMs].map((ms) => (ms / places.durationMs) * 100)
  return (
    // In pixels, as fingers and screens are: large text needs no wider handles.
    <div className="relative mx-[16px] h-[64px] select-none">
      <Pictures {...props} />
      {/* Before what is drawn of them, which shows their focus. */}
      <Handle {...props} end="fromMs" className="peer/from left-[-32px]" />
      <Handle {...props} end="toMs" className="peer/to left-[-12px]" />
      <div aria-hidden className={`left-0 ${SHADE}`} style={{ width: `${left}%` }} />
      <div aria-hidden className={`right-0 ${SHADE}`} style={{ left: `${right}%` }} />
      <div
        aria-hidden
        className="pointer-events-none absolute inset-y-0 border-y-3 border-accent"
        style={{ left: `${left}%`, right: `calc(100% - ${right}%)` }}
      />
      <Grip
        className="-translate-x-full rounded-l-lg peer-focus-visible/from:outline-2"
        at={`${left}%`}
      />
      <Grip className="rounded-r-lg peer-focus-visible/to:outline-2" at={`${right}%`} />
    </div>
  )
}

const SHADE = 'pointer-events-none absolute inset-y-0 bg-surface/80'

function Pictures({ file, places: { durationMs } }: TrimStripProps) {
  const wanted = Array.from({ length: PICTURES }, (_, index) =>
    Math.round((durationMs * (index + 0.5)) / PICTURES),
  )
  const nearMs = durationMs / PICTURES / 2
  const { pictures, isMaking } = useBoardPictures({ file, durationMs, nearMs }, wanted)
  return (
    <div
      aria-hidden
      className={classNames(
        'absolute inset-0 flex gap-px overflow-hidden rounded-md bg-surface-sunken',
        isMaking && pictures.size === 0 && 'animate-glow',
      )}
    >
      {/* On phones every other picture: twelve would be too narrow. */}
      {wanted.map((ms, index) => (
        <Picture key={ms} picture={pictures.get(ms)} isWideOnly={index % 2 === 1} />
      ))}
    </div>
  )
}

/** A plain block until there is a picture, or where this device can make none. */
function Picture({
  picture,
  isWideOnly,
}: {
  readonly picture: Blob | undefined
  readonly isWideOnly: boolean
}) {
  return (
    <span
      className={classNames(
        'relative h-full min-w-0 flex-1 bg-line',
        isWideOnly && 'hidden sm:block',
      )}
    >
      {picture === undefined ? null : (
        <BlobImage blob={picture} alt="" className="absolute inset-0 size-full object-cover" />
      )}
    </span>
  )
}

/** What is seen of a handle; what is touched lies over it and is wider. */
function Grip({ className, at }: { readonly className: string; readonly at: string }) {
  return (
    <div
      aria-hidden
      className={classNames(
        'pointer-events-none absolute inset-y-0 grid w-[16px] place-items-center bg-gradient-accent outline-offset-2 outline-accent',
        className,
      )}
      style={{ left: at }}
    >
      <span className="h-[20px] w-[2px] rounded-full bg-on-accent" />
    </div>
  )
}

const NAMES: Readonly<Record<TrimEnd, string>> = {
  fromMs: 'Where it begins',
  toMs: 'Where it ends',
}

/**
 * A handle as a control of the browser, which every screen reader can move. Only its thumb takes
 * the pointer, so that two of them lie over one strip.
 */
function Handle({
  places,
  trim,
  end,
  onChange,
  className,
}: TrimStripProps & { readonly end: TrimEnd; readonly className: string }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const by =
      event.altKey || event.ctrlKey || event.metaKey ? undefined : keySteps(places)[event.key]
    if (by === undefined) return
    event.preventDefault()
    onChange(stepEnd(places, trim, end, by))
  }
  return (
    <input
      type="range"
      aria-label={NAMES[end]}
      aria-valuetext={trimPlaceWords(trim[end])}
      min={0}
      max={Math.round(places.durationMs)}
      step={1}
      value={Math.round(trim[end])}
      onChange={(event) => onChange(moveEnd(places, trim, end, Number(event.target.value)))}
      onKeyDown={onKeyDown}
      className={classNames(HANDLE, className)}
    />
  )
}

/** By how many places a key moves a handle. */
function keySteps(places: TrimPlaces): Readonly<Partial<Record<string, number>>> {
  const leap = leapOf(places)
  return {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -leap,
    PageUp: leap,
    Home: -Infinity,
    End: Infinity,
  }
}

/**
 * The track is wider than the strip by the thumb of 44 px, so that the middle of what is drawn of a
 * handle is the time that it stands for; a third of it lies inside of what is sent.
 */
const HANDLE =
  'pointer-events-none absolute inset-y-0 z-10 m-0 h-full touch-pan-y w-[calc(100%+44px)] appearance-none bg-transparent outline-0 focus-visible:z-20 ' +
  '[&::-webkit-slider-runnable-track]:h-full ' +
  '[&::-webkit-slider-thumb]:pointer-events-auto [&::-webkit-slider-thumb]:h-full [&::-webkit-slider-thumb]:w-[44px] [&::-webkit-slider-thumb]:cursor-ew-resize [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:bg-transparent ' +
  '[&::-moz-range-track]:h-full [&::-moz-range-track]:bg-transparent ' +
  '[&::-moz-range-thumb]:pointer-events-auto [&::-moz-range-thumb]:h-full [&::-moz-range-thumb]:w-[44px] [&::-moz-range-thumb]:cursor-ew-resize [&::-moz-range-thumb]:rounded-none [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-transparent'
