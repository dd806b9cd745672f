import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'

/** Shown where the formats could not be loaded and this device has none from earlier. */
export function PresetsFailure({
  failure,
  onRetry,
}: {
  readonly failure: ApiFailure
  readonly onRetry: () => void
}) {
  return (
    <Notice
      kind="error"
      title={
        failure.code === 'api/unexpected'
          ? 'Unable to fetch media job task presets'
          : serverProblemCopy(failure).title
      }
      action={
        <Button variant="secondary" onPress={onRetry}>
          Try again
        </Button>
      }
    />
  )
}
