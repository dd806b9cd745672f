import { useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { UNIFORM_SAMPLING_MAX_MOMENTS, UNIFORM_SAMPLING_MIN_MOMENTS } from '#src/config/limits.ts'
import {
  checkSampling,
  samplingDraft,
  toMs,
  type MinutesAndSeconds,
  type SamplingDraft,
  type SamplingField,
} from '#src/local/edits/sampling-draft.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { NumberField } from '#src/ui/NumberField.tsx'
import { MinutesSecondsField } from './MinutesSecondsField.tsx'
import { spokenLength } from './time-words.ts'
import type { OptionsFormProps } from './WatermarkOptionsForm.tsx'

export interface SamplingOptionsFormProps extends OptionsFormProps {
  /** Probed length of the source; null while unknown. */
  readonly sourceDurationMs: number | null
  /** Called with every change: whether what the form holds can be applied. */
  readonly onValidity: (isValid: boolean) => void
  /**
   * What the options as they stand in the form give, shown below them; null while they cannot be
   * used.
   */
  readonly renderPreview?: ((request: TaskRequest | null) => ReactNode) | undefined
}

/**
 * The options of uniform sampling (OPT-05, 4.63): how long, how many moments, what to leave out at
 * both ends.
 */
export function SamplingOptionsForm({
  formId,
  initial,
  onApply,
  sourceDurationMs,
  onValidity,
  renderPreview,
}: SamplingOptionsFormProps) {
  const [draft, setDraft] = useState(() =>
    samplingDraft(initial?.mediaJobTaskPresetSlug === 'uniform-sampling' ? initial.payload : null),
  )
  const [pastedNegative, setPastedNegative] = useState<SamplingField | null>(null)
  const { errors, payload } = checkSampling(draft, sourceDurationMs)
  const request: TaskRequest | null =
    payload === null ? null : { mediaJobTaskPresetSlug: 'uniform-sampling', payload }
  const change = (field: SamplingField, different: Partial<SamplingDraft>) => {
    const changed = { ...draft, ...different }
    setDraft(changed)
    if (pastedNegative === field) setPastedNegative(null)
    onValidity(checkSampling(changed, sourceDurationMs).payload !== null)
  }
  const fieldProps = (field: SamplingField) => ({
    error: pastedNegative === field ? 'Negative values are not allowed' : (errors[field] ?? null),
    onPaste: (text: string) => setPastedNegative(/^\s*[-−]/.test(text) ? field : null),
  })
  const time = (
    field: 'length' | 'leftOutAtStart' | 'leftOutAtEnd',
    label: string,
    hint?: string,
  ) => (
    <MinutesSecondsField
      label={label}
      value={draft[field]}
      onChange={(value: MinutesAndSeconds) => change(field, { [field]: value })}
      {...(hint === undefined ? {} : { hint })}
      {...fieldProps(field)}
    />
  )
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
        if (request !== null) onApply(request)
      }}
      className="grid grid-cols-1 gap-5"
    >
      <p>A summary made of evenly spaced moments of your video.</p>
      {time('length', 'Final length', 'At least 10 seconds.')}
      <NumberField
        label="Moments"
        value={draft.moments}
        minValue={UNIFORM_SAMPLING_MIN_MOMENTS}
        maxValue={UNIFORM_SAMPLING_MAX_MOMENTS}
        step={1}
        onChange={(moments) => change('moments', { moments })}
        hint={`How many pieces, ${UNIFORM_SAMPLING_MIN_MOMENTS} to ${UNIFORM_SAMPLING_MAX_MOMENTS}.`}
        {...fieldProps('moments')}
      />
      {time('leftOutAtStart', 'Leave out at the start')}
      {time('leftOutAtEnd', 'Leave out at the end')}
      <p role="status" className="text-sm">
        {payload === null ? null : consequence(draft, sourceDurationMs)}
      </p>
      {renderPreview?.(request)}
    </form>
  )
}

/** Says what will come out, and warns when the video is too short for what is asked (4.63). */
function consequence(draft: SamplingDraft, sourceDurationMs: number | null): string {
  const lengthMs = toMs(draft.length)
  const restMs =
    sourceDurationMs === null
      ? null
      : sourceDurationMs - toMs(draft.leftOutAtStart) - toMs(draft.leftOutAtEnd)
  if (sourceDurationMs !== null && restMs !== null && lengthMs > restMs) {
    return restMs === sourceDurationMs
      ? `Your video is only ${spokenLength(sourceDurationMs)} long, so all of it is shown in one piece.`
      : `Your video is ${spokenLength(sourceDurationMs)} long and ${spokenLength(restMs)} of it remain, so all of that is shown in one piece.`
  }
  return `${draft.moments} moments of about ${spokenMoment(lengthMs / draft.moments)} each.`
}

/** Short moments with a decimal: '2.5 s'. */
function spokenMoment(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms / 100) / 10} s` : spokenLength(ms)
}
