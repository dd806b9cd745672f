import { useState } from 'react'
import { tubeCutOptions } from '#recipes/tube-cut/options.ts'
import { spokenLength } from '#src/components/time-words.ts'
import { MINUTE_MS } from '#src/lib/time.ts'
import { requestWithOptions } from '#src/local/edits/task-requests.ts'
import { NumberField } from '#src/ui/NumberField.tsx'
import { isNegative } from './minus-signs.ts'
import type { OptionsFormProps } from './options-form.tsx'
import { OptionsFrame } from './OptionsFrame.tsx'

/**
 * The options of the tube cut (OPT-02): its length in minutes; 0 or nothing keeps the full
 * length.
 */
export function TubeCutOptionsForm({
  initial,
  sourceDurationMs,
  ...frame
}: OptionsFormProps<'tube-cut'>) {
  const [minutes, setMinutes] = useState(
    (initial ?? tubeCutOptions.typical).targetDuration / MINUTE_MS,
  )
  const [error, setError] = useState<string | null>(null)
  const targetMs = Number.isNaN(minutes) ? null : Math.round(minutes * MINUTE_MS)
  const request = requestWithOptions('tube-cut', {
    ...(initial ?? tubeCutOptions.typical),
    targetDuration: targetMs,
  })
  return (
    <OptionsFrame
      sentence="A shorter version of the scene in longer passages."
      request={request.ok ? request.value : null}
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
        hint="0 if left empty, which keeps the full length."
        error={error}
      />
      <p role="status" className="mt-3 text-sm">
        {consequence(targetMs, sourceDurationMs)}
      </p>
    </OptionsFrame>
  )
}

/** Says what the length will do, so that the result surprises no creator. */
function consequence(targetMs: number | null, sourceDurationMs: number | null): string {
  if (targetMs === null || targetMs === 0) return 'Keeps the full length of your video.'
  if (sourceDurationMs !== null && targetMs >= sourceDurationMs)
    return `Your video is ${spokenLength(sourceDurationMs)} long, so its full length is kept.`
  return `About ${spokenLength(targetMs)} long.`
}
