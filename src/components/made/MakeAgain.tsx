import { useRef, useState } from 'react'
import { refusalWords } from './make-words.ts'
import { paths } from '#src/config/paths.ts'
import { useMaker, useMaking, type MadeFileRow } from '#src/hooks/edits/use-made-edits.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'
import { Button } from '#src/ui/Button.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

/**
 * Makes a device edit that was not finished, or is gone, with the options and moments that it has:
 * from its kept pieces, where there are some. Without its video it says how that comes back. What
 * it lies in takes the focus: `tabIndex={-1}`.
 */
export function MakeAgain({
  row,
  video,
}: {
  readonly row: MadeFileRow
  /** Null where this device does not have it any more. */
  readonly video: PreviewVideo | null
}) {
  return video === null ? <VideoAway row={row} /> : <MakeAgainButton row={row} video={video} />
}

function VideoAway({ row }: { readonly row: MadeFileRow }) {
  return (
    <p className="text-sm text-ink-muted">
      Its video is not on this device any more.{' '}
      <TextLink to={paths.newUpload}>Choose it again</TextLink>, then press {pressWords(row)} on the
      card of {row.editName} there. Nothing has to be sent for it.
    </p>
  )
}

function pressWords({ kept }: MadeFileRow): string {
  return kept == null ? 'Make it again' : 'Go on'
}

function MakeAgainButton({
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
  const words = pressWords(row)
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
