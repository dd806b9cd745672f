import { useRef, useState } from 'react'
import { refusalWords } from './make-words.ts'
import { useMaker, useMaking, type MadeFileRow } from '#src/hooks/edits/use-made-edits.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'
import { Button } from '#src/ui/Button.tsx'

/**
 * Makes a device edit that was not finished, or is gone, with the options and moments that it has:
 * from its kept pieces, where there are some. What it lies in takes the focus: `tabIndex={-1}`.
 */
export function MakeAgain({
  row,
  video,
}: {
  readonly row: MadeFileRow
  readonly video: PreviewVideo
}) {
  const maker = useMaker()
  const isBusy = useMaking() !== null
  const [isStarting, setIsStarting] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const status = useRef<HTMLParagraphElement>(null)
  const start = async () => {
    // The button goes once it begins: the focus stays at what takes its place.
    status.current?.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
    setIsStarting(true)
    const begun = await maker.start({ ...row, video, againId: row.id, goesOn: true })
    setIsStarting(false)
    setRefusal(begun.ok ? null : refusalWords(begun.error))
  }
  const words = row.kept == null ? 'Make it again' : 'Go on'
  return (
    <>
      {isBusy ? null : (
        <Button
          size="small"
          isBusy={isStarting}
          onPress={() => void start()}
          label={`${words}: ${row.editName}`}
        >
          {words}
        </Button>
      )}
      <p ref={status} role="status" className="text-sm text-ink-muted empty:hidden">
        {refusal ?? ''}
      </p>
    </>
  )
}
