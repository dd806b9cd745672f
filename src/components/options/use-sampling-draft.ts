import { useEffect, useEffectEvent, useState } from 'react'
import * as v from 'valibot'
import {
  checkSampling,
  samplingDraft,
  type SamplingDraft,
  type SamplingField,
} from '#src/local/edits/sampling-draft.ts'
import type { RequestOf } from '#src/local/edits/task-requests.ts'
import { isNegative } from './minus-signs.ts'
import type { OptionsFormProps } from './options-form.tsx'
import { keptFields, useEnds } from './use-ends.ts'

/** As `TypedNumber`. */
const keptNumber = v.union([v.number(), v.nan(), v.null()])
const keptTime = v.object({ minutes: keptNumber, seconds: keptNumber })
const keptDraft = v.object({
  length: keptTime,
  moments: keptNumber,
  leftOutAtStart: keptTime,
  leftOutAtEnd: keptTime,
})

/** What the form of uniform sampling holds, checked after each change. */
export function useSamplingDraft({
  initial,
  kept,
  sourceDurationMs,
  onValidity,
}: Pick<
  OptionsFormProps<'uniform-sampling'>,
  'initial' | 'kept' | 'sourceDurationMs' | 'onValidity'
>) {
  /** The rest is as it began: the length of the video may come after the form. */
  const [changed, setChanged] = useState((): Partial<SamplingDraft> => ({
    ...keptFields(kept, keptDraft),
  }))
  const draft = { ...samplingDraft(initial, sourceDurationMs), ...changed }
  const ends = useEnds({ slug: 'uniform-sampling', initial: draft, kept, fields: draft })
  const [pastedNegative, setPastedNegative] = useState<SamplingField | null>(null)
  const { errors, payload } = checkSampling(
    { ...draft, introMediaAssetIds: ends.ids.intro, outroMediaAssetIds: ends.ids.outro },
    sourceDurationMs,
  )
  const request: RequestOf<'uniform-sampling'> | null =
    payload === null || ends.isRefused
      ? null
      : { mediaJobTaskPresetSlug: 'uniform-sampling', payload }
  const isValid = payload !== null
  const tell = useEffectEvent(onValidity)
  useEffect(() => tell(isValid), [isValid])
  return {
    draft,
    ends,
    /** Null while the draft cannot be used. */
    request,
    change: (field: SamplingField, different: Partial<SamplingDraft>) => {
      setChanged({ ...changed, ...different })
      if (pastedNegative === field) setPastedNegative(null)
    },
    fieldProps: (field: SamplingField) => ({
      error: pastedNegative === field ? 'Negative values are not allowed' : (errors[field] ?? null),
      onPaste: (text: string) => {
        setPastedNegative(isNegative(text) ? field : null)
        return isNegative(text)
      },
    }),
  }
}
