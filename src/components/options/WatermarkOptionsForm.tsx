import { useState } from 'react'
import { requestWithOptions } from '#src/local/edits/task-requests.ts'
import { TextField } from '#src/ui/TextField.tsx'
import type { OptionsFormProps } from './options-form.tsx'

/** The options of the dynamic watermark (OPT-01). */
export function WatermarkOptionsForm({
  formId,
  initial,
  onApply,
  renderPreview,
}: OptionsFormProps<'dynamic-watermark'>) {
  const [text, setText] = useState(initial?.text ?? '')
  const [error, setError] = useState<string | null>(null)
  const request = requestWithOptions('dynamic-watermark', { text })
  const apply = () => {
    if (request.ok) onApply(request.value)
    else setError(request.error.message)
  }
  return (
    <form
      id={formId}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <p className="mb-5">
        Your name or tag keeps moving over the whole video, so that it cannot be cropped away.
      </p>
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
      {renderPreview?.(request.ok ? request.value : null)}
    </form>
  )
}
