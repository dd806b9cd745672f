import type { PreviewState } from '#src/local/previews/preview-runner.ts'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'

/** How far one preview is, also in words while there is no number for it. */
export function PreviewProgress({ state }: { readonly state: PreviewState }) {
  const share = state.kind === 'working' ? state.share : null
  return (
    <ProgressBar
      label="Making the preview on this device"
      percent={share === null ? null : share * 100}
      {...(share === null ? { valueText: 'Starting' } : {})}
    />
  )
}
