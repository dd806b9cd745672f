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

/** Shorter ones are more likely a slip, and the step of the field. */
const LEAST_MINUTES = 0.5

const NEGATIVE = 'Negative target duration is not allowed'

/** To the millisecond: what is rounded to 0 would be the full length. */
const DIGITS = { maximumFractionDigits: 5 }

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
  const problem = problemOf(minutes)
  const request = requestWithOptions('tube-cut', {
    targetDuration: targetMs,
    introMediaAssetIds: ends.ids.intro,
    outroMediaAssetIds: ends.ids.outro,
  })
  return (
    <OptionsFrame
      sentence="A shorter version of the scene in longer passages."
      request={request.ok && problem === null && !ends.isRefused ? request.value : null}
      onRefused={() => setError(request.ok ? null : request.error.message)}
      isMinusBlocked
      {...frame}
    >
      <NumberField
        label="Target duration in minutes"
        value={minutes}
        minValue={0}
        step={LEAST_MINUTES}
        commitBehavior="validate"
        formatOptions={DIGITS}
        onChange={(value) => {
          setMinutes(value)
          setError(null)
        }}
        onPaste={(pasted) => setError(isNegative(pasted) ? NEGATIVE : null)}
        hint="Leave it empty to keep the full length."
        error={problem ?? error}
      />
      <Consequence
        targetMs={targetMs}
        sourceDurationMs={sourceDurationMs}
        added={addedWords(ends.addedMs)}
        isUsable={problem === null}
      />
      <div className="grid grid-cols-1 gap-5">
        <EndsFields ends={ends} />
      </div>
    </OptionsFrame>
  )
}

/** What is wrong with a length that was entered; null of one that can be used. */
function problemOf(minutes: number): string | null {
  if (minutes < 0) return NEGATIVE
  return minutes > 0 && minutes < LEAST_MINUTES
    ? 'At least half a minute, or nothing for the full length'
    : null
}

interface ConsequenceProps {
  /** Null keeps the full length. */
  readonly targetMs: number | null
  readonly sourceDurationMs: number | null
  /** What intros and outros add, in words. */
  readonly added: string
  readonly isUsable: boolean
}

/** What the length will do; keeps its place where nothing can be said of it. */
function Consequence({ targetMs, sourceDurationMs, added, isUsable }: ConsequenceProps) {
  const { words, isWarning } = consequence(targetMs, sourceDurationMs)
  return (
    <p
      role="status"
      className={classNames('mt-3 mb-5 min-h-5 text-sm', isWarning && 'font-medium text-warn')}
    >
      {isUsable ? words + added : null}
    </p>
  )
}

interface ConsequenceWords {
  readonly words: string
  /** A person who asks for a length does not expect to pay for the video as it is. */
  readonly isWarning: boolean
}

/** Says what the length will do, so that the result surprises no creator. */
function consequence(targetMs: number | null, sourceDurationMs: number | null): ConsequenceWords {
  if (targetMs === null || targetMs === 0)
    return { words: 'Keeps the full length of your video.', isWarning: false }
  if (sourceDurationMs !== null && isUncut(targetMs, sourceDurationMs)) {
    const words = `Your video is ${spokenLength(sourceDurationMs)} long, so nothing is cut out of it.`
    return { words, isWarning: true }
  }
  return { words: `About ${spokenLength(targetMs)} long.`, isWarning: false }
}
