import { useState } from 'react'
import { requestWithOptions } from '#src/local/edits/task-requests.ts'
import { TextField } from '#src/ui/TextField.tsx'
import type { OptionsFormProps } from './options-form.tsx'
import { OptionsFrame } from './OptionsFrame.tsx'

/** The options of the dynamic watermark (OPT-01). */
export function WatermarkOptionsForm({
  initial,
  kept: _kept,
  video: _video,
  onValidity: _onValidity,
  ...frame
}: OptionsFormProps<'dynamic-watermark'>) {
  const [text, setText] = useState(initial?.text ?? '')
  const [error, setError] = useState<string | null>(null)
  const request = requestWithOptions('dynamic-watermark', { text })
  return (
    <OptionsFrame
      sentence="Your name or tag keeps moving over the whole video, so that it cannot be cropped away."
      request={request.ok ? request.value : null}
      onRefused={() => setError(request.ok ? null : request.error.message)}
      {...frame}
    >
      <TextField
        label="Name or Social Tag"
        placeholder="@someusername"
        value={text}
        onChange={(value) => {
          setText(value)
          setError(null)
        }}
        error={error}
        autoComplete="off"
        isRequired
        autoFocus
      />
    </OptionsFrame>
  )
}
