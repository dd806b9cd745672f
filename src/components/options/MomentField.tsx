import { useId, useState } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { BlobImage } from '#src/ui/BlobImage.tsx'
import { MinutesSecondsField } from './MinutesSecondsField.tsx'
import { lengthWords } from '#src/lib/time-words.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { useMomentPictures } from '#src/hooks/moments/use-moment-pictures.ts'
import { useSettled } from '#src/hooks/clock/use-settled.ts'
import { useUploadMoments } from '#src/hooks/moments/use-upload-moments.ts'
import {
  toMinutesAndSeconds,
  fieldsToMs,
  type MinutesAndSeconds,
} from '#src/local/edits/sampling-draft.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'
import { classNames } from '#src/ui/class-names.ts'
import { errorLook, hintLook, labelLook } from '#src/ui/field-look.ts'
import { ServedMoments } from './ServedMoments.tsx'

export interface MomentFieldProps {
  /** Milliseconds into the video; null while none is chosen. */
  readonly valueMs: number | null
  /** Null while this device does not know the length. */
  readonly sourceDurationMs: number | null
  /** Null where this device cannot show pictures of the video: then the server's are shown. */
  readonly video: PreviewVideo | null
  /** Null before the server knows the video. */
  readonly uploadRequestId: string | null
  /** What the edit shows of a video of this length where a moment is chosen. */
  readonly shownAt: (source: { readonly durationMs: number }, momentMs: number) => Stretch
  readonly error: string | null
  /** Null: what was typed is no moment. */
  readonly onChange: (valueMs: number | null) => void
}

const STILLS = 8
/** As far as an arrow key moves. */
const STEP_MS = 500
/** A shorter pause is still on its way. */
const PAUSE_MS = 250

/**
 * The choice of one moment of the creator's own video, by its pictures and by a slider. Pictures of
 * any place come from the file where this device has it, else those of the server are shown.
 */
export function MomentField(props: MomentFieldProps) {
  const { valueMs, video, uploadRequestId, shownAt, error, onChange } = props
  const errorId = useId()
  const found = useUploadMoments(video === null ? uploadRequestId : null)
  const durationMs = props.sourceDurationMs ?? found.pull.data?.source?.durationMs ?? null
  const served =
    video === null ? (
      <ServedMoments found={found} valueMs={valueMs} shownAt={shownAt} onChange={onChange} />
    ) : null
  if (durationMs === null)
    return (
      <>
        {served}
        <TypedMoment valueMs={valueMs} error={error} onChange={onChange} />
      </>
    )
  return (
    <fieldset
      className="min-w-0 rounded-control border border-line p-4"
      aria-describedby={error === null ? undefined : errorId}
    >
      <legend className={classNames('px-1', labelLook)}>Where the moment is</legend>
      {served}
      {video === null ? null : (
        <Stills video={video} valueMs={valueMs} lengthMs={durationMs} onChange={onChange} />
      )}
      <Slider valueMs={valueMs} lengthMs={durationMs} onChange={onChange} />
      {error === null ? null : (
        <p id={errorId} role="alert" className={classNames('mt-2', errorLook)}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** The moment as numbers, where nothing of the video can be shown. */
function TypedMoment({
  valueMs,
  error,
  onChange,
}: Pick<MomentFieldProps, 'valueMs' | 'error' | 'onChange'>) {
  const [fields, setFields] = useState<MinutesAndSeconds>(() => toMinutesAndSeconds(valueMs ?? 0))
  return (
    <MinutesSecondsField
      label="Where the moment is"
      value={fields}
      onChange={(next) => {
        setFields(next)
        const ms = fieldsToMs(next)
        onChange(ms >= 0 ? ms : null)
      }}
      hint="Counted from the beginning of your video."
      error={error}
    />
  )
}

interface MomentProps {
  readonly valueMs: number | null
  readonly lengthMs: number
  readonly onChange: (valueMs: number) => void
}

function Slider({ valueMs, lengthMs, onChange }: MomentProps) {
  const id = useId()
  return (
    <div className="mt-3">
      <label htmlFor={id} className="sr-only">
        Moment
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={lengthMs}
        step={STEP_MS}
        value={valueMs ?? 0}
        aria-valuetext={valueMs === null ? 'not chosen' : lengthWords(valueMs)}
        onChange={(event) => onChange(Number(event.target.value))}
        className="h-11 w-full cursor-pointer accent-accent"
      />
      <p className={classNames('flex justify-between tabular-nums', hintLook)}>
        <span>0:00</span>
        <output htmlFor={id} className="font-medium text-ink">
          {valueMs === null ? 'Not chosen yet' : lengthWords(valueMs)}
        </output>
        <span>{lengthWords(lengthMs)}</span>
      </p>
    </div>
  )
}

function Stills(props: MomentProps & { readonly video: PreviewVideo }) {
  const { video, valueMs, lengthMs, onChange } = props
  const places = Array.from({ length: STILLS }, (_, index) =>
    Math.round((lengthMs * (index + 0.5)) / STILLS),
  )
  const pictures = useMomentPictures(video, places)
  const settledMs = useSettled(valueMs, PAUSE_MS)
  return (
    <>
      {settledMs === null ? null : <Still video={video} atMs={settledMs} />}
      <ul aria-label="Places in the video" className="grid grid-cols-4 gap-1.5">
        {places.map((atMs, index) => (
          <li key={atMs}>
            <Place
              atMs={atMs}
              picture={pictures.get(index) ?? null}
              isNearest={valueMs !== null && Math.abs(valueMs - atMs) <= lengthMs / STILLS / 2}
              onChoose={() => onChange(atMs)}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

/** The chosen moment itself, as large as the field. */
function Still({ video, atMs }: { readonly video: PreviewVideo; readonly atMs: number }) {
  const picture = useMomentPictures(video, [atMs]).get(0)
  const { width, height } = video.source
  return (
    <div
      className="relative mx-auto mb-3 max-h-[36dvh] w-full overflow-hidden rounded-lg bg-black"
      style={{
        aspectRatio: `${width} / ${height}`,
        maxWidth: `calc(36dvh * ${width} / ${height})`,
      }}
    >
      {picture === undefined ? null : (
        <BlobImage
          blob={picture}
          alt={`Your video at ${lengthWords(atMs)}`}
          className="absolute inset-0 size-full object-contain"
        />
      )}
    </div>
  )
}

interface PlaceProps {
  readonly atMs: number
  readonly picture: Blob | null
  readonly isNearest: boolean
  readonly onChoose: () => void
}

function Place({ atMs, picture, isNearest, onChoose }: PlaceProps) {
  return (
    <ToggleButton
      isSelected={isNearest}
      onChange={onChoose}
      className={classNames(
        'block w-full cursor-pointer rounded-lg p-1 text-xs outline-0 data-focus-visible:outline-2 data-focus-visible:outline-accent',
        isNearest ? 'bg-accent-soft ring-2 ring-accent' : 'hover:bg-surface-sunken',
      )}
    >
      <span className="relative block aspect-video overflow-hidden rounded-md bg-surface-sunken">
        {picture === null ? null : (
          <BlobImage blob={picture} alt="" className="absolute inset-0 size-full object-cover" />
        )}
      </span>
      <span className="mt-1 block text-center text-ink-muted tabular-nums">
        {lengthWords(atMs)}
      </span>
    </ToggleButton>
  )
}
