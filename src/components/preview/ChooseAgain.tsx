import { useRef, useState } from 'react'
import { chooseRefusalWords } from '#src/components/problem/preview-copy.ts'
import { FILE_KINDS } from '#src/components/uploads/file-kinds.ts'
import type { PreviewFootage } from '#src/hooks/previews/use-preview-video.ts'
import type { FootageRefusal } from '#src/local/previews/preview.ts'
import { Button } from '#src/ui/Button.tsx'
import { openPicker } from '#src/ui/dropped-files.ts'
import { HiddenFileInput } from '#src/ui/HiddenFileInput.tsx'

const { accept, pickerTypes } = FILE_KINDS['media-job']

/** How the file of an uploaded video comes back to this device, for previews alone. */
export function ChooseAgain({
  footage: { upload, chooseAgain },
}: {
  readonly footage: Extract<PreviewFootage, { kind: 'served' }>
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [refusal, setRefusal] = useState<FootageRefusal | null>(null)
  const take = async (file: File) => {
    setIsBusy(true)
    setRefusal(null)
    setRefusal(await chooseAgain(file))
    setIsBusy(false)
  }
  const choose = async () => {
    const chosen = await openPicker(pickerTypes, false)
    if (chosen === null) input.current?.click()
    else if (chosen[0] !== undefined) await take(chosen[0].file)
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-sm wrap-break-word">
        {`Choose ${upload.name} again to see and hear the edit made from the file. Nothing is sent.`}
      </p>
      <Button variant="secondary" size="small" onPress={() => void choose()} isBusy={isBusy}>
        Choose the video again
      </Button>
      <p role="alert" className="text-sm text-ink empty:hidden">
        {refusal === null ? null : chooseRefusalWords(refusal, upload)}
      </p>
      <HiddenFileInput accept={accept} ref={input} onChoose={(file) => void take(file)} />
    </div>
  )
}
