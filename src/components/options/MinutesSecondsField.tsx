import { useId, useState } from 'react'
import { toMinutesAndSeconds, type MinutesAndSeconds } from '#src/local/edits/sampling-draft.ts'
import { classNames } from '#src/ui/class-names.ts'
import { errorLook, hintLook, labelLook } from '#src/ui/field-look.ts'
import { KeptRoom } from '#src/ui/KeptRoom.tsx'
import { DECIMAL, readLength, type TypedNumber } from '#src/lib/typed-number.ts'
import { NumberField } from '#src/ui/NumberField.tsx'

export interface MinutesSecondsFieldProps {
  readonly label: string
  readonly value: MinutesAndSeconds
  readonly onChange: (value: MinutesAndSeconds) => void
  /** See `NumberField`. */
  readonly onPaste?: (text: string) => boolean
  readonly hint?: string
  readonly error: string | null
}

/**
 * A length as minutes and seconds. A length that names its units, as '1:30', fills both, in
 * whichever of the two it is typed. Accepts more than 59 seconds, so that the error can explain
 * what is wrong.
 */
export function MinutesSecondsField({
  label,
  value,
  onChange,
  onPaste,
  hint,
  error,
}: MinutesSecondsFieldProps) {
  const id = useId()
  /** Counts what a length brought into each field, so that no text from before stands there. */
  const [filled, setFilled] = useState({ minutes: 0, seconds: 0 })
  const change = (part: keyof MinutesAndSeconds) => (number: TypedNumber, text: string) => {
    const ms = readLength(text)
    const other = part === 'minutes' ? 'seconds' : 'minutes'
    if (ms !== null) setFilled({ ...filled, [other]: filled[other] + 1 })
    onChange(ms === null ? { ...value, [part]: number } : toMinutesAndSeconds(ms))
  }
  const part = {
    rule: DECIMAL,
    minValue: 0,
    step: 1,
    ...(onPaste === undefined ? {} : { onPaste }),
  }
  return (
    <fieldset className="min-w-0" aria-describedby={error === null ? `${id}-hint` : `${id}-error`}>
      <legend className={labelLook}>{label}</legend>
      <div className="mt-1.5 grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-3">
        <NumberField
          key={`minutes-${filled.minutes}`}
          label="Minutes"
          {...part}
          value={value.minutes}
          onChange={change('minutes')}
        />
        <NumberField
          key={`seconds-${filled.seconds}`}
          label="Seconds"
          {...part}
          value={value.seconds}
          onChange={change('seconds')}
        />
      </div>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className={classNames('mt-1.5', hintLook)}>
          {hint}
        </p>
      )}
      <KeptRoom className="">
        {error === null ? null : (
          <p id={`${id}-error`} role="alert" className={classNames('pt-1.5', errorLook)}>
            {error}
          </p>
        )}
      </KeptRoom>
    </fieldset>
  )
}
