import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { TUBE_CUT_DEFAULT_TARGET_MS } from '#src/config/limits.ts'
import { MINUTE_MS } from '#src/lib/time.ts'
import { tubeCutRequest } from '#src/local/edits/task-requests.ts'
import { NumberField } from '#src/ui/NumberField.tsx'
import { spokenLength } from './time-words.ts'
import type { OptionsFormProps } from './WatermarkOptionsForm.tsx'

export interface TubeCutOptionsFormProps extends OptionsFormProps {
  /** Probed length of the source; null while unknown. */
  readonly sourceDurationMs: number | null
}

/**
 * The options of the tube cut (OPT-02, 4.32): its length in minutes; 0 or nothing keeps the full
 * length.
 */
export function TubeCutOptionsForm({
  formId,
  initial,
  onApply,
  sourceDurationMs,
  renderPreview,
}: TubeCutOptionsFormProps) {
  const payload = initial?.mediaJobTaskPresetSlug === 'tube-cut' ? initial.payload : null
  const [minutes, setMinutes] = useState(
    (payload?.targetDuration ?? TUBE_CUT_DEFAULT_TARGET_MS) / MINUTE_MS,
  )
  const [error, setError] = useState<string | null>(null)
  const targetMs = Number.isNaN(minutes) ? null : Math.round(minutes * MINUTE_MS)
  const request = tubeCutRequest(
    targetMs,
    payload?.introMediaAssetIds ?? [],
    payload?.outroMediaAssetIds ?? [],
  )
  const apply = () => {
    if (request.ok) onApply(request.value)
    else setError(request.error.message)
  }
  // Typed minus signs would only be refused later (specification 000 §5).
  const blockMinus = (event: KeyboardEvent) => {
    if (event.key === '-' || event.key === '−') event.preventDefault()
  }
  return (
    <form
      id={formId}
      noValidate
      onKeyDownCapture={blockMinus}
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <p className="mb-5">A shorter version of the scene in longer passages.</p>
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
      {renderPreview?.(request.ok ? request.value : null)}
    </form>
  )
}

/** Says what the length will do, so that nobody is surprised by the result. */
function consequence(targetMs: number | null, sourceDurationMs: number | null): string {
  if (targetMs === null || targetMs === 0) return 'Keeps the full length of your video.'
  if (sourceDurationMs !== null && targetMs >= sourceDurationMs)
    return `Your video is ${spokenLength(sourceDurationMs)} long, so its full length is kept.`
  return `About ${spokenLength(targetMs)} long.`
}

function isNegative(text: string): boolean {
  return /^\s*[-−]/.test(text)
}
