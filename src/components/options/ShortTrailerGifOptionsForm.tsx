import { useState } from 'react'
import { closingStretch } from '#recipes/short-trailer-gif/passages.ts'
import { requestWithOptions } from '#src/local/edits/task-requests.ts'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { MomentField } from './MomentField.tsx'
import type { OptionsFormProps } from './options-form.tsx'
import { OptionsFrame } from './OptionsFrame.tsx'

/**
 * The options of the short trailer GIF (OPT-07). No analysis knows where a scene closes, so a
 * creator who wants that in sets it on the video.
 */
export function ShortTrailerGifOptionsForm({
  initial,
  kept: _kept,
  sourceDurationMs,
  video,
  uploadRequestId,
  onValidity: _onValidity,
  ...frame
}: OptionsFormProps<'short-trailer-gif'>) {
  const [isIncluded, setIsIncluded] = useState(initial?.includeKumshot ?? false)
  const [momentMs, setMomentMs] = useState(initial?.momentMs ?? null)
  const [error, setError] = useState<string | null>(null)
  const request = requestWithOptions(
    'short-trailer-gif',
    { includeKumshot: isIncluded, momentMs },
    sourceDurationMs,
  )
  return (
    <OptionsFrame
      sentence="Four short passages of your video as one GIF of 8 MB or less."
      request={request.ok ? request.value : null}
      onRefused={() => setError(request.ok ? null : request.error.message)}
      {...frame}
    >
      <Checkbox
        isSelected={isIncluded}
        onChange={(next) => {
          setIsIncluded(next)
          setError(null)
        }}
      >
        Include the finale
      </Checkbox>
      <p className="mt-1 mb-4 text-sm text-ink-muted">
        {isIncluded
          ? 'The GIF shows two seconds around the moment that you choose here.'
          : 'The last fifth of your video is left out.'}
      </p>
      {isIncluded ? (
        <MomentField
          valueMs={momentMs}
          sourceDurationMs={sourceDurationMs}
          video={video}
          uploadRequestId={uploadRequestId}
          shownAt={closingStretch}
          error={error}
          onChange={(next) => {
            setMomentMs(next)
            setError(null)
          }}
        />
      ) : null}
    </OptionsFrame>
  )
}
