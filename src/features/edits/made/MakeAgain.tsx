import { useState } from 'react'
import { useMaker, useMaking, type MadeFileRow } from '#src/hooks/edits/use-made-edits.ts'
import { usePreviewSource } from '#src/hooks/previews/use-preview-video.ts'
import { useUpload } from '#src/hooks/uploads/use-upload.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'
import { Button } from '#src/ui/Button.tsx'
import { refusalWords } from '#src/components/made/make-words.ts'

/** Makes a device edit again that was not finished or is gone, where its video is here. */
export function MakeAgain({ row }: { readonly row: MadeFileRow }) {
  const upload = useUpload(row.uploadId)
  const source = usePreviewSource(upload ?? null)
  if (upload === undefined) return null
  if (source.kind !== 'video')
    return (
      <p className="text-sm text-ink-muted">
        Its video is not on this device any more, so it cannot be made again here.
      </p>
    )
  return <Again row={row} video={source.video} />
}

function Again({ row, video }: { readonly row: MadeFileRow; readonly video: PreviewVideo }) {
  const maker = useMaker()
  const isBusy = useMaking() !== null
  const [isStarting, setIsStarting] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const start = async () => {
    setIsStarting(true)
    const begun = await maker.start({ ...row, video, againId: row.id })
    setIsStarting(false)
    setRefusal(begun.ok ? null : refusalWords(begun.error))
  }
  return (
    <>
      {isBusy ? null : (
        <Button
          size="small"
          isBusy={isStarting}
          onPress={() => void start()}
          label={`Make it again: ${row.editName}`}
        >
          Make it again
        </Button>
      )}
      <p role="status" className="text-sm text-ink-muted empty:hidden">
        {refusal ?? ''}
      </p>
    </>
  )
}
