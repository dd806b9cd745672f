import { useState } from 'react'
import type { ApiFailure } from '#src/api/errors.ts'
import type { Result } from '#src/lib/result.ts'

export interface SavedChoice<Value> {
  /** What was chosen while this device does not have it yet, else what this device has. */
  readonly value: Value
  readonly isSaving: boolean
  /** Why the choice before was not saved. */
  readonly failure: ApiFailure | null
  /** Resolves with whether it is saved. */
  readonly choose: (value: Value) => Promise<boolean>
}

/**
 * A setting that the server keeps. The database tells of a saved choice only after the call has
 * ended: until then the choice is shown, or the old one would come back for a moment, and a press
 * would build on it.
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
  const shown = chosen !== null && (chosen.over === null || chosen.over === known) ? chosen : null
  return {
    value: shown === null ? value : shown.value,
    isSaving: shown?.isSaving ?? false,
    failure,
    choose: async (next) => {
      setFailure(null)
      setChosen({ value: next, over: null, isSaving: true })
      const saved = await save(next)
      setChosen(saved.ok ? { value: next, over: null, isSaving: false } : null)
      if (!saved.ok) setFailure(saved.error)
      return saved.ok
    },
  }
}
