import { useState } from 'react'
import {
  checkSampling,
  samplingDraft,
  type SamplingDraft,
  type SamplingField,
} from '#src/local/edits/sampling-draft.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { isNegative } from './minus-signs.ts'
import type { OptionsFormProps } from './options-form.tsx'

/** What the form of uniform sampling holds, checked after each change. */
export function useSamplingDraft({
  initial,
  sourceDurationMs,
  onValidity,
}: Pick<OptionsFormProps<'uniform-sampling'>, 'initial' | 'sourceDurationMs' | 'onValidity'>) {
  const [draft, setDraft] = useState(() => samplingDraft(initial))
  const [pastedNegative, setPastedNegative] = useState<SamplingField | null>(null)
  const { errors, payload } = checkSampling(draft, sourceDurationMs)
  const request: TaskRequest | null =
    payload === null ? null : { mediaJobTaskPresetSlug: 'uniform-sampling', payload }
  return {
    draft,
    /** Null while the draft cannot be used. */
    request,
    change: (field: SamplingField, different: Partial<SamplingDraft>) => {
      const changed = { ...draft, ...different }
      setDraft(changed)
      if (pastedNegative === field) setPastedNegative(null)
      onValidity(checkSampling(changed, sourceDurationMs).payload !== null)
    },
    fieldProps: (field: SamplingField) => ({
      error: pastedNegative === field ? 'Negative values are not allowed' : (errors[field] ?? null),
      onPaste: (text: string) => setPastedNegative(isNegative(text) ? field : null),
    }),
  }
}
