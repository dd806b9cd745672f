import { useState, type ReactNode } from 'react'
import { watermarkRequest, type TaskRequest } from '#src/local/edits/task-requests.ts'
import { TextField } from '#src/ui/TextField.tsx'

export interface OptionsFormProps {
  readonly formId: string
  /** What is chosen already, to change it. */
  readonly initial: TaskRequest | null
  readonly onApply: (request: TaskRequest) => void
  /**
   * What the options as they stand in the form give, shown below them; null while they cannot be
   * used.
   */
  readonly renderPreview?: ((request: TaskRequest | null) => ReactNode) | undefined
}

/** The options of the dynamic watermark (OPT-01). */
export function WatermarkOptionsForm({
  formId,
  initial,
  onApply,
  renderPreview,
}: OptionsFormProps) {
  const [text, setText] = useState(
    initial?.mediaJobTaskPresetSlug === 'dynamic-watermark' ? initial.payload.text : '',
  )
  const [error, setError] = useState<string | null>(null)
  const request = watermarkRequest(text)
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
