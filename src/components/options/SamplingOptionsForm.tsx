import { SAMPLING_MAX_MOMENTS, SAMPLING_MIN_MOMENTS } from '#spec/numbers.ts'
import { MinutesSecondsField } from './MinutesSecondsField.tsx'
import { spokenLength } from '#recipes/length-words.ts'
import { isOnePiece, restOf } from '#recipes/uniform-sampling/options.ts'
import type { MinutesAndSeconds } from '#src/local/edits/sampling-draft.ts'
import type { PayloadOf } from '#src/local/edits/task-requests.ts'
import { addedWords } from '#src/components/assets/ends.ts'
import { WHOLE } from '#src/lib/typed-number.ts'
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
          rule={WHOLE}
          minValue={SAMPLING_MIN_MOMENTS}
          maxValue={SAMPLING_MAX_MOMENTS}
          step={1}
          onChange={(moments) => change('moments', { moments })}
          hint={`How many pieces, ${SAMPLING_MIN_MOMENTS} to ${SAMPLING_MAX_MOMENTS}.`}
          {...fieldProps('moments')}
        />
        {time('leftOutAtStart', 'Leave out at the start')}
        {time('leftOutAtEnd', 'Leave out at the end')}
        <p role="status" className="min-h-5 text-sm">
          {request === null
            ? null
            : consequence(request.payload, sourceDurationMs) + addedWords(ends.addedMs)}
        </p>
        <EndsFields ends={ends} />
      </div>
    </OptionsFrame>
  )
}

/** Says what will come out. */
function consequence(
  payload: PayloadOf<'uniform-sampling'>,
  sourceDurationMs: number | null,
): string {
  const { maximumDuration, segmentCount } = payload
  return sourceDurationMs !== null && isOnePiece(payload, sourceDurationMs)
    ? `Shows ${spokenLength(restOf(payload, sourceDurationMs))} of your video in one piece.`
    : `${segmentCount} moments of about ${spokenMoment(maximumDuration / segmentCount)} each.`
}

/** Short moments with a decimal: '2.5 s'. */
function spokenMoment(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms / 100) / 10} s` : spokenLength(ms)
}
