import { SAMPLING_MAX_MOMENTS, SAMPLING_MIN_MOMENTS } from '#spec/numbers.ts'
import { MinutesSecondsField } from '#src/components/MinutesSecondsField.tsx'
import { spokenLength } from '#src/components/time-words.ts'
import {
  toMs,
  type MinutesAndSeconds,
  type SamplingDraft,
} from '#src/local/edits/sampling-draft.ts'
import { addedWords } from '#src/components/assets/ends.ts'
import { NumberField } from '#src/ui/NumberField.tsx'
import { EndsFields } from './EndsFields.tsx'
import type { OptionsFormProps } from './options-form.tsx'
import { OptionsFrame } from './OptionsFrame.tsx'
import { useSamplingDraft } from './use-sampling-draft.ts'

/**
 * The options of uniform sampling (OPT-05): how long, how many moments, what to leave out at
 * both ends.
 */
export function SamplingOptionsForm({
  initial,
  kept,
  sourceDurationMs,
  video: _video,
  onValidity,
  ...frame
}: OptionsFormProps<'uniform-sampling'>) {
  const { draft, ends, request, change, fieldProps } = useSamplingDraft({
    initial,
    kept,
    sourceDurationMs,
    onValidity,
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
  return (
    <OptionsFrame
      sentence="A summary made of evenly spaced moments of your video."
      request={request}
      isMinusBlocked
      {...frame}
    >
      <div className="grid grid-cols-1 gap-5">
        {time('length', 'Final length', 'At least 10 seconds.')}
        <NumberField
          label="Moments"
          value={draft.moments}
          minValue={SAMPLING_MIN_MOMENTS}
          maxValue={SAMPLING_MAX_MOMENTS}
          step={1}
          onChange={(moments) => change('moments', { moments })}
          hint={`How many pieces, ${SAMPLING_MIN_MOMENTS} to ${SAMPLING_MAX_MOMENTS}.`}
          {...fieldProps('moments')}
        />
        {time('leftOutAtStart', 'Leave out at the start')}
        {time('leftOutAtEnd', 'Leave out at the end')}
        <p role="status" className="text-sm">
          {request === null
            ? null
            : consequence(draft, sourceDurationMs) + addedWords(ends.addedMs)}
        </p>
        <EndsFields ends={ends} />
      </div>
    </OptionsFrame>
  )
}

/** Says what will come out, and warns when the video is too short for what is asked. */
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
