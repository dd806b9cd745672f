import { useMaker } from '#src/hooks/edits/use-made-edits.ts'
import type { Making } from '#src/local/made/making.ts'
import { Button } from '#src/ui/Button.tsx'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { FALLEN_BACK_WORDS, passageWords } from './make-words.ts'

/** How far an edit is that this page makes, and the way to give it up. */
export function MakeProgress({
  making: { progress, hasFallenBack },
  name,
}: {
  readonly making: Making
  readonly name: string
}) {
  const maker = useMaker()
  return (
    <div className="flex flex-col gap-3">
      <ProgressBar
        label={passageWords(progress)}
        percent={progress === null ? null : progress.share * 100}
      />
      {hasFallenBack ? <p role="status">{FALLEN_BACK_WORDS}</p> : null}
      <p className="text-sm text-ink-muted">
        Keep this page open. You can go on in other parts of the app.
      </p>
      <Button
        variant="secondary"
        size="small"
        onPress={maker.cancel}
        label={`Cancel making ${name}`}
        // Never where 'Go on' was: a second tap there would give up all that is kept.
        className="self-end"
      >
        Cancel
      </Button>
    </div>
  )
}
