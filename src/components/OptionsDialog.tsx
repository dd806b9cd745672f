import { useId, useState } from 'react'
import type { PresetSlug, TaskRequest } from '#src/local/edits/task-requests.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { SamplingOptionsForm } from './SamplingOptionsForm.tsx'
import { TubeCutOptionsForm } from './TubeCutOptionsForm.tsx'
import { WatermarkOptionsForm } from './WatermarkOptionsForm.tsx'

export interface OptionsDialogProps {
  /** Whose options; null keeps it closed. */
  readonly slug: PresetSlug | null
  readonly name: string
  readonly initial: TaskRequest | null
  readonly sourceDurationMs: number | null
  readonly onApply: (request: TaskRequest) => void
  readonly onClose: () => void
}

/** Presets whose options can be asked for here; another one with options is not offered. */
export function hasOptionsForm(slug: PresetSlug): boolean {
  return slug === 'dynamic-watermark' || slug === 'tube-cut' || slug === 'uniform-sampling'
}

/** The options of one edit as a modal: Apply adds the request, Cancel and Escape close (FMT-04). */
export function OptionsDialog({ slug, name, initial, sourceDurationMs, onApply, onClose }: OptionsDialogProps) {
  const formId = useId()
  const [invalidSlug, setInvalidSlug] = useState<PresetSlug | null>(null)
  const close = () => {
    setInvalidSlug(null)
    onClose()
  }
  return (
    <Dialog
      title={name}
      isOpen={slug !== null}
      onClose={close}
      footer={(
        <>
          <Button variant="secondary" onPress={close}>Cancel</Button>
          <Button type="submit" form={formId} isDisabled={slug !== null && invalidSlug === slug}>Apply</Button>
        </>
      )}
    >
      {slug === 'dynamic-watermark' ? <WatermarkOptionsForm formId={formId} initial={initial} onApply={onApply} /> : null}
      {slug === 'tube-cut' ? <TubeCutOptionsForm formId={formId} initial={initial} onApply={onApply} sourceDurationMs={sourceDurationMs} /> : null}
      {slug === 'uniform-sampling' ? (
        <SamplingOptionsForm formId={formId} initial={initial} onApply={onApply} sourceDurationMs={sourceDurationMs} onValidity={(isValid) => setInvalidSlug(isValid ? null : slug)} />
      ) : null}
    </Dialog>
  )
}
