import { useRef, useState } from 'react'
import { refusedForMs, type ApiFailure } from '#src/api/errors.ts'
import type { Result } from '#src/lib/result.ts'
import { createSerial } from '#src/lib/serial.ts'

export interface SavedChoice<Value> {
  /** What was chosen while this device does not have it yet, else what this device has. */
  readonly value: Value
  /** Why the choice before was not saved. */
  readonly failure: ApiFailure | null
  /** Saved after those before it. Resolves with whether it is saved. */
  readonly choose: (value: Value) => Promise<boolean>
}

/**
 * A setting that the server keeps. The database tells of a saved choice only after the call has
 * ended: until then the choice is shown, or the old one would come back for a moment, and a press
 * would build on it. Its control is not disabled meanwhile, which would take the focus from it: a
 * press during a save waits for its turn.
 * @param known what this device has of it, another object after each change
 * @param value the setting in `known`
 */
export function useChoice<Value>(
  known: object,
  value: Value,
  save: (value: Value) => Promise<Result<unknown, ApiFailure>>,
): SavedChoice<Value> {
  const [chosen, setChosen] = useState<{
    readonly value: Value
    /** What this device had when the call ended; null until then. */
    readonly over: object | null
    readonly isSaving: boolean
  } | null>(null)
  // Not what it had at the press: a pull in between brings the old choice again.
  if (chosen !== null && !chosen.isSaving && chosen.over === null)
    setChosen({ ...chosen, over: known })
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const [inTurn] = useState(() => createSerial(() => undefined))
  const newest = useRef(0)
  const shown = chosen !== null && (chosen.over === null || chosen.over === known) ? chosen : null
  return {
    value: shown === null ? value : shown.value,
    failure,
    choose: async (next) => {
      setFailure(null)
      setChosen({ value: next, over: null, isSaving: true })
      newest.current += 1
      const number = newest.current
      const saved = await inTurn(() => save(next))
      if (number !== newest.current) return saved.ok
      setChosen(saved.ok ? { value: next, over: null, isSaving: false } : null)
      if (!saved.ok) setFailure(saved.error)
      return saved.ok
    },
  }
}

/** What helps, behind a sentence; nothing where the failure says from when on it does. */
export function againWords(failure: ApiFailure): string {
  return refusedForMs(failure) === null ? ' Press again to save your choice.' : ''
}
