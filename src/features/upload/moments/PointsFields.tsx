import { useState, type ReactNode } from 'react'
import { PICTURE_MS, pointWords, stretchWords } from '#recipes/moment-choice.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { readPoint } from '#src/local/edits/moment-boards.ts'
import { Button } from '#src/ui/Button.tsx'
import { TextField } from '#src/ui/TextField.tsx'

interface PointsFieldsProps {
  /** Names the fields and the button: 'Your own moment'. */
  readonly legend: string
  /** What the fields begin with; left out = empty. */
  readonly initial?: Stretch
  /** How long the moment has to be, so that its start is all there is to say; null = any length. */
  readonly lengthMs: number | null
  readonly sourceDurationMs: number
  readonly buttonText: string
  readonly onSet: (points: Stretch) => void
  /** Shows points that could be set, and are other ones than those that are. */
  readonly preview: (points: Stretch) => ReactNode
}

/** The points at which a moment begins and ends, as minutes and seconds. */
export function PointsFields(props: PointsFieldsProps) {
  const { legend, initial, lengthMs, sourceDurationMs, buttonText, onSet, preview } = props
  const [start, setStart] = useState(initial === undefined ? '' : pointWords(initial.startMs))
  const [end, setEnd] = useState(initial === undefined ? '' : pointWords(initial.endMs))
  const [error, setError] = useState<string | null>(null)
  const read =
    lengthMs === null
      ? readPoints(start, end, sourceDurationMs)
      : readStart(start, lengthMs, sourceDurationMs)
  const set = () => {
    setError(typeof read === 'string' ? read : null)
    if (typeof read !== 'string') onSet(read)
  }
  const field = (label: string, value: string, onChange: (next: string) => void) => (
    <TextField
      label={label}
      value={value}
      onChange={(next) => {
        onChange(next)
        setError(null)
      }}
      placeholder="0:00.0"
      autoComplete="off"
      isErrorElsewhere
      error={error}
      className="min-w-0 flex-1"
    />
  )
  return (
    <form
      noValidate
      aria-label={legend}
      onSubmit={(event) => {
        event.preventDefault()
        set()
      }}
    >
      <p className="mb-1.5 font-medium text-ink">{legend}</p>
      <div className="flex flex-wrap items-end gap-3">
        {field(lengthMs === PICTURE_MS ? 'Is at' : 'Begins at', start, setStart)}
        {lengthMs === null ? field('Ends at', end, setEnd) : null}
        <Button variant="secondary" type="submit" className="max-sm:w-full">
          {buttonText}
        </Button>
      </div>
      {typeof read === 'string' || isSame(read, initial) ? null : preview(read)}
      {error === null ? null : (
        <p role="alert" className="mt-2 text-sm text-bad">
          {error}
        </p>
      )}
    </form>
  )
}

/** As far as the fields say it. */
function isSame(points: Stretch, initial: Stretch | undefined): boolean {
  return initial !== undefined && stretchWords(points) === stretchWords(initial)
}

/** The points, or what is wrong with them. */
function readPoints(start: string, end: string, sourceDurationMs: number): Stretch | string {
  const startMs = readPoint(start)
  const endMs = readPoint(end)
  if (startMs === null || endMs === null)
    return 'Please enter both times as minutes and seconds, for example 1:23.4.'
  if (endMs <= startMs) return 'Please let the moment end after it begins.'
  if (endMs > sourceDurationMs)
    return `Your video ends at ${pointWords(sourceDurationMs)}. Please let the moment end before that.`
  return { startMs, endMs }
}

/** The moment of a length that begins at a point, or what is wrong with it. */
function readStart(start: string, lengthMs: number, sourceDurationMs: number): Stretch | string {
  const startMs = readPoint(start)
  if (startMs === null) return 'Please enter the time as minutes and seconds, for example 1:23.4.'
  const latestMs = Math.max(0, Math.floor(sourceDurationMs - lengthMs))
  if (startMs > latestMs)
    return `Your video ends at ${pointWords(sourceDurationMs)}. Please let it begin at ${pointWords(latestMs)} at the latest.`
  return { startMs, endMs: startMs + Math.round(lengthMs) }
}
