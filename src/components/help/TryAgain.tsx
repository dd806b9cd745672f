import type { ApiFailure } from '#src/api/errors.ts'
import { useRefusedUntil } from '#src/hooks/clock/use-refused-until.ts'
import { notYetWords } from '#src/lib/time-words.ts'
import { Button, type ButtonProps } from '#src/ui/Button.tsx'

export interface TryAgainProps extends Omit<ButtonProps, 'children'> {
  /** Why the last try failed; null where that is not known. */
  readonly failure: ApiFailure | null
  readonly children?: string
}

/**
 * The button that tries again, or from when on that helps: where a call came too often, the server
 * refuses it until then, and the button comes when it is time.
 */
export function TryAgain({ failure, children = 'Try Again', ...button }: TryAgainProps) {
  const refusal = useRefusedUntil(failure)
  if (refusal === null)
    return (
      <Button variant="secondary" {...button}>
        {children}
      </Button>
    )
  return <p className="text-ink-muted">{notYetWords(refusal)}</p>
}
