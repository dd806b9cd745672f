import { useState } from 'react'
import * as v from 'valibot'
import { isUncut, tubeCutOptions } from '#recipes/tube-cut/options.ts'
import { spokenLength } from '#recipes/length-words.ts'
import { MINUTE_MS } from '#src/lib/time.ts'
import { requestWithOptions, type RequestOf } from '#src/local/edits/task-requests.ts'
import { MINUTES, type TypedNumber } from '#src/lib/typed-number.ts'
import { NumberField } from '#src/ui/NumberField.tsx'
import { addedWords } from '#src/components/assets/ends.ts'
import { EndsFields } from './EndsFields.tsx'
import { isNegative } from './minus-signs.ts'
import type { OptionsFormProps } from './options-form.tsx'
import { OptionsFrame } from './OptionsFrame.tsx'
import { keptFields, useEnds } from './use-ends.ts'

/** What a press of the buttons changes: short videos have little room. */
const STEP_MINUTES = 0.1

const NEGATIVE = 'Negative target duration is not allowed'

/** As `TypedNumber`. */
const keptMinutes = v.object({ minutes: v.union([v.number(), v.nan(), v.null()]) })

/**
 * The options of the tube cut (OPT-02): its length in minutes; 0 or nothing keeps the full length
 * between an intro and an outro.
 */
export function TubeCutOptionsForm({
  initial,
  kept,
  sourceDurationMs,
  video: _video,
  onValidity: _onValidity,
  ...frame
}: OptionsFormProps<'tube-cut'>) {
  const begin = initial ?? tubeCutOptions.propose(sourceDurationMs)
  const [minutes, setMinutes] = useMinutes(begin, kept)
  const [isNegativePasted, setNegativePasted] = useState(false)
  const ends = useEnds({ slug: 'tube-cut', initial: begin, kept, fields: { minutes } })
  const request = requestWithOptions(
    'tube-cut',
    {
      targetDuration: targetOf(minutes),
      introMediaAssetIds: ends.ids.intro,
      outroMediaAssetIds: ends.ids.outro,
    },
    sourceDurationMs,
  )
  const problem = request.ok || minutes === null ? null : request.error.message
  return (
    <OptionsFrame
      sentence="A shorter version of the scene in longer passages."
      request={request.ok && !ends.isRefused ? request.value : null}
      isMinusBlocked
      {...frame}
    >
      <NumberField
        label="Target duration in minutes"
        value={minutes}
        rule={MINUTES}
        minValue={0}
        step={STEP_MINUTES}
        onChange={(value) => {
          setMinutes(value)
          setNegativePasted(false)
        }}
        onPaste={(pasted) => {
          setNegativePasted(isNegative(pasted))
          return isNegative(pasted)
        }}
        hint="Left empty it is 0, the full length, which needs an intro or outro."
        error={isNegativePasted ? NEGATIVE : problem}
      />
      {/* Keeps its place where nothing can be said. */}
      <p role="status" className="mt-3 mb-5 min-h-5 text-sm">
        {request.ok
          ? consequence(request.value, sourceDurationMs) + addedWords(ends.addedMs)
          : null}
      </p>
      <div className="grid grid-cols-1 gap-5">
        <EndsFields ends={ends} />
      </div>
    </OptionsFrame>
  )
}

/** As it began until it is changed: the length of the video may come after the form. */
function useMinutes(
  begin: { readonly targetDuration: number },
  kept: OptionsFormProps<'tube-cut'>['kept'],
) {
  const [changed, setMinutes] = useState<TypedNumber | undefined>(
    () => keptFields(kept, keptMinutes)?.minutes,
  )
  const minutes = changed === undefined ? begin.targetDuration / MINUTE_MS : changed
  return [minutes, setMinutes] as const
}

/**
 * In milliseconds; null for the full length, and NaN, which no edit takes, where nothing was read:
 * of that the field itself says what to do.
 */
function targetOf(minutes: TypedNumber): number | null {
  if (minutes === null) return Number.NaN
  return Number.isNaN(minutes) ? null : Math.round(minutes * MINUTE_MS)
}

/** Says how long it will be, so that the result surprises no creator. */
function consequence(
  { payload: { targetDuration: targetMs } }: RequestOf<'tube-cut'>,
  sourceDurationMs: number | null,
): string {
  return isUncut(targetMs, sourceDurationMs ?? Infinity)
    ? 'Keeps the full length of your video.'
    : `About ${spokenLength(targetMs)} long.`
}
