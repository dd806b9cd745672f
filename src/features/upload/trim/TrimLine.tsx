import { Scissors } from 'lucide-react'
import { onlyWords } from '#src/components/upload-words/trim-words.ts'
import { Button } from '#src/ui/Button.tsx'
import { classNames } from '#src/ui/class-names.ts'
import type { Trim } from '#src/local/uploads/page/trim.ts'
import type { TrimChoice } from './use-trim-choice.ts'

interface TrimLineProps {
  /** What is sent; null = the whole. */
  readonly trim: Trim | null
  readonly choice: TrimChoice | null
  readonly className?: string
}

/** What is sent of a video, and the way to its choice; nothing for a whole that cannot be cut. */
export function TrimLine({ trim, choice, className }: TrimLineProps) {
  const button = choice === null || choice.step === 'open' ? null : choice
  if (trim === null && button === null) return null
  const text = trim === null ? 'Send only a part' : 'Change'
  return (
    <p className={classNames('flex flex-wrap items-center gap-x-5', className)}>
      {trim === null ? null : (
        <span className="flex items-center gap-2 font-medium tabular-nums">
          <Scissors aria-hidden className="size-4 shrink-0 text-ink-muted" />
          {onlyWords(trim)}
        </span>
      )}
      {button === null ? null : (
        <Button
          variant="quiet"
          size="small"
          // What had the focus is gone with the choice.
          autoFocus={button.step === 'closed'}
          onPress={button.open}
          label={`${text}: ${button.subject.name}`}
          className="-ml-3"
        >
          {trim === null ? <Scissors aria-hidden className="size-4" /> : null}
          {text}
        </Button>
      )}
    </p>
  )
}
