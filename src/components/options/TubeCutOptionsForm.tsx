import { useState } from 'react'
import * as v from 'valibot'
import { isUncut, tubeCutOptions } from '#recipes/tube-cut/options.ts'
import { spokenLength } from '#src/components/time-words.ts'
import { MINUTE_MS } from '#src/lib/time.ts'
import { requestWithOptions } from '#src/local/edits/task-requests.ts'
import { classNames } from '#src/ui/class-names.ts'
import { NumberField } from '#src/ui/NumberField.tsx'
import { addedWords } from '#src/components/assets/ends.ts'
import { EndsFields } from './EndsFields.tsx'
import { isNegative } from './minus-signs.ts'
import type { OptionsFormProps } from './options-form.tsx'
import { OptionsFrame } from './OptionsFrame.tsx'
import { keptFields, useEnds } from './use-ends.ts'

/** An empty field is not a number. */
const keptMinutes = v.object({ minutes: v.union([v.number(), v.nan()]) })

/**
 * The options of the tube cut (OPT-02): its length in minutes; 0 or nothing keeps the full
 * length.
 */
export function TubeCutOptionsForm({
  initial,
  kept,
  sourceDurationMs,
  video: _video,
  onValidity: _onValidity,
  ...frame
}: OptionsFormProps<'tube-cut'>) {
  const begin = initial ?? tubeCutOptions.typical
  const [minutes, setMinutes] = useState(
    () => keptFields(kept, keptMinutes)?.minutes ?? begin.targetDuration / MINUTE_MS,
  )
  const [error, setError] = useState<string | null>(null)
  const ends = useEnds({ slug: 'tube-cut', initial: begin, kept, fields: { minutes } })
  const targetMs = Number.isNaN(minutes) ? null : Math.round(minutes * MINUTE_MS)
  const { words, isWarning } = consequence(targetMs, sourceDurationMs)
  const request = requestWithOptions('tube-cut', {
    targetDuration: targetMs,
    introMediaAssetIds: ends.ids.intro,
    outroMediaAssetIds: ends.ids.outro,
  })
  return (
    <OptionsFrame
      sentence="A shorter version of the scene in longer passages."
      request={request.ok && !ends.isRefused ? request.value : null}
      onRefused={() => setError(request.ok ? null : request.error.message)}
      isMinusBlocked
      {...frame}
    >
      <NumberField
        label="Target duration in minutes"
        value={minutes}
        minValue={0}
        step={0.5}
        onChange={(value) => {
          setMinutes(value)
          setError(null)
        }}
        onPaste={(pasted) =>
          setError(isNegative(pasted) ? 'Negative target duration is not allowed' : null)
        }
        hint="Leave it empty to keep the full length."
        error={error}
      />
      <p
        role="status"
        className={classNames('mt-3 mb-5 text-sm', isWarning && 'font-medium text-warn')}
      >
        {words + addedWords(ends.addedMs)}
      </p>
      <div className="grid grid-cols-1 gap-5">
        <EndsFields ends={ends} />
      </div>
    </OptionsFrame>
  )
}

interface Consequence {
  readonly words: string
  /** A person who asks for a length does not expect to pay for the video as it is. */
  readonly isWarning: boolean
}

/** Says what the length will do, so that the result surprises no creator. */
function consequence(targetMs: number | null, sourceDurationMs: number | null): Consequence {
  if (targetMs === null || targetMs === 0)
    return { words: 'Keeps the full length of your video.', isWarning: false }
  if (sourceDurationMs !== null && isUncut(targetMs, sourceDurationMs)) {
    const words = `Your video is ${spokenLength(sourceDurationMs)} long, so nothing is cut out of it.`
    return { words, isWarning: true }
  }
  return { words: `About ${spokenLength(targetMs)} long.`, isWarning: false }
}
