import { useRef, useState } from 'react'
import { elsewhereWords } from '#src/components/upload-words/elsewhere-words.ts'
import { adoptRefusalCopy } from '#src/components/upload-words/failure-copy.ts'
import type { ProblemCopy } from '#src/components/problem/problem-words.ts'
import { ProblemNotice } from '#src/components/help/ProblemNotice.tsx'
import { FILE_KINDS } from './file-kinds.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { useUploadCommands } from '#src/hooks/uploads/use-upload-commands.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import type { OpenUpload } from '#src/local/db/facts.ts'
import { Button } from '#src/ui/Button.tsx'
import { openPicker, type ChosenFile } from '#src/ui/dropped-files.ts'
import { HiddenFileInput } from '#src/ui/HiddenFileInput.tsx'

export interface ContinueElsewhereProps {
  /** Left out = a video for edits. */
  readonly purpose?: keyof typeof FILE_KINDS
  readonly uploadRequestId: string
  readonly name: string
  readonly sizeBytes: number
  readonly open: OpenUpload
}

/**
 * How far an upload is that this device does not hold, and the button that goes on with it here:
 * 'Choose NAME again'.
 */
export function ContinueElsewhere({
  purpose = 'media-job',
  uploadRequestId,
  name,
  sizeBytes,
  open,
}: ContinueElsewhereProps) {
  const input = useRef<HTMLInputElement>(null)
  const { take, isBusy, refusal } = useTake(uploadRequestId, name)
  const words = elsewhereWords(open, sizeBytes, useNow(10 * SECOND_MS))
  const choose = async () => {
    const chosen = await openPicker(FILE_KINDS[purpose].pickerTypes, false)
    if (chosen === null) input.current?.click()
    else if (chosen[0] !== undefined) await take(chosen[0])
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-sm text-ink-muted tabular-nums">{words.facts}</p>
      {words.warning === null ? null : <p className="text-sm text-warn">{words.warning}</p>}
      <Button size="small" onPress={() => void choose()} isBusy={isBusy}>
        <span className="wrap-break-word">{`Choose ${name} again`}</span>
      </Button>
      <ProblemNotice problem={refusal} className="w-full" />
      <HiddenFileInput
        accept={FILE_KINDS[purpose].accept}
        ref={input}
        onChoose={(file) => void take({ file, handle: null })}
      />
    </div>
  )
}

/** Gives the upload its file; once it is taken, the upload's row replaces this block. */
function useTake(uploadRequestId: string, name: string) {
  const commands = useUploadCommands()
  const [isBusy, setIsBusy] = useState(false)
  const [refusal, setRefusal] = useState<ProblemCopy | null>(null)
  const take = async ({ file, handle }: ChosenFile) => {
    setIsBusy(true)
    setRefusal(null)
    const taken = await commands.continueElsewhere(uploadRequestId, file, handle)
    if (!taken.ok) setRefusal(adoptRefusalCopy(taken.error, name))
    setIsBusy(false)
  }
  return { take, isBusy, refusal }
}
