import { useState } from 'react'
import { watermarkRequest, type TaskRequest } from '#src/local/edits/task-requests.ts'
import { TextField } from '#src/ui/TextField.tsx'

export interface OptionsFormProps {
  readonly formId: string
  /** What is chosen already, to change it. */
  readonly initial: TaskRequest | null
  readonly onApply: (request: TaskRequest) => void
}

/** The options of the dynamic watermark (OPT-01). */
export function WatermarkOptionsForm({ formId, initial, onApply }: OptionsFormProps) {
  const [text, setText] = useState(initial?.mediaJobTaskPresetSlug === 'dynamic-watermark' ? initial.payload.text : '')
  const [error, setError] = useState<string | null>(null)
  const apply = () => {
    const request = watermarkRequest(text)
    if (request.ok) onApply(request.value)
    else setError(request.error.message)
  }
  return (
    <form id={formId} noValidate onSubmit={(event) => { event.preventDefault(); apply() }}>
      <p className="mb-5">Your name or tag keeps moving over the whole video, so that it cannot be cropped away.</p>
      <TextField
        label="Name or Social Tag"
        placeholder="@someusername"
        value={text}
        onChange={(value) => { setText(value); setError(null) }}
        error={error}
        autoComplete="off"
        isRequired
        autoFocus
      />
    </form>
  )
}
