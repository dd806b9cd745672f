import { FileArchive } from 'lucide-react'
import { useState } from 'react'
import { formatBytes } from '#src/lib/bytes.ts'
import { zipName, zipOf } from '#src/lib/zip.ts'
import { Button } from '#src/ui/Button.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'

interface SaveAllProps {
  readonly files: readonly { readonly fileName: string; readonly sizeBytes: number }[]
  /** Of which edit or video, for who does not see where the button stands. */
  readonly name: string
  /** All of them, by these names; null where this device has one no more. */
  readonly open: () => Promise<readonly File[] | null>
}

/** All files that this device has of something as one ZIP, without a network; nothing for one. */
export function SaveAll({ files, name, open }: SaveAllProps) {
  const toasts = useToasts()
  const [isPacking, setPacking] = useState(false)
  if (files.length < 2) return null
  // Not beside the button, which goes with the first file that is missing.
  const fail = (): void =>
    toasts.show('error', 'The ZIP could not be made. You can save the files one by one.')
  const pack = async (): Promise<void> => {
    const opened = await open()
    if (opened === null) fail()
    else download(zipName(files.map(({ fileName }) => fileName)), await zipOf(opened))
  }
  const save = (): void => {
    setPacking(true)
    void pack()
      .catch(fail)
      .finally(() => setPacking(false))
  }
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  return (
    <Button
      variant="secondary"
      size="small"
      isBusy={isPacking}
      onPress={save}
      label={`Save all files of ${name}`}
      className="self-start"
    >
      {isPacking ? null : <FileArchive aria-hidden className="size-4" />}
      Save all
      <span className="font-normal text-ink-muted">ZIP, {formatBytes(sizeBytes)}</span>
    </Button>
  )
}

/** The download has its own hold on the bytes once it has begun. */
const HOLD_MS = 60_000

function download(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), HOLD_MS)
}
