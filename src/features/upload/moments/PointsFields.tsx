import { useState, type ReactNode } from 'react'
import { PICTURE_MS, pointWords, stretchWords } from '#recipes/moment-choice.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { Button } from '#src/ui/Button.tsx'
import { hintLook } from '#src/ui/field-look.ts'
import { TextField } from '#src/ui/TextField.tsx'
import { readPoints, readStart } from './read-points.ts'

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
      className="min-w-0 flex-1 basis-28"
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
      <p aria-live="polite" className={hintLook}>
        {typeof read === 'string' || isWritten(read, start, lengthMs === null ? end : '')
          ? null
          : `Read as ${stretchWords(read)}`}
      </p>
      {typeof read === 'string' || isSame(read, initial) ? null : preview(read)}
      {error === null ? null : (
        <p role="alert" className="mt-2 text-sm text-bad">
          {error}
        </p>
      )}
    </form>
  )
}

/** Whether the fields say it as it is written elsewhere; a field that is not there is empty. */
function isWritten({ startMs, endMs }: Stretch, start: string, end: string): boolean {
  return start.trim() === pointWords(startMs) && ['', pointWords(endMs)].includes(end.trim())
}

/** As far as the fields say it. */
function isSame(points: Stretch, initial: Stretch | undefined): boolean {
  return initial !== undefined && stretchWords(points) === stretchWords(initial)
}
