import { useState, type FormEvent } from 'react'
import { BlobImage } from '#src/ui/BlobImage.tsx'
import { trimPlaceWords } from '#src/components/upload-words/trim-words.ts'
import { useBoardPictures } from '#src/hooks/moments/use-board-pictures.ts'
import { useSettled } from '#src/hooks/clock/use-settled.ts'
import { TextField } from '#src/ui/TextField.tsx'
import { readTime } from './read-time.ts'
import type { Trim } from '#src/local/uploads/page/trim.ts'
import type { TrimEnd } from './trim-moves.ts'
import type { TrimStripProps } from './TrimStrip.tsx'

/** What is to be said of a time that was typed. */
export interface TimeNote {
  readonly end: TrimEnd
  readonly text: string
  readonly isError: boolean
}

interface TrimTimesProps extends TrimStripProps {
  readonly note: TimeNote | null
  readonly onNote: (note: TimeNote | null) => void
}

/** A shorter pause of a handle is still on its way. */
const PAUSE_MS = 250
/** The last picture begins before the end. */
const LAST_PICTURE_MS = 100

/** Both ends of what is sent: the picture there, and the time in a field. */
export function TrimTimes(props: TrimTimesProps) {
  const { file, places, trim } = props
  const settled = useSettled(trim, PAUSE_MS)
  const shownMs: Trim = {
    fromMs: settled.fromMs,
    toMs: Math.max(settled.fromMs, settled.toMs - LAST_PICTURE_MS),
  }
  const { pictures } = useBoardPictures({ file, durationMs: places.durationMs, nearMs: 0 }, [
    shownMs.fromMs,
    shownMs.toMs,
  ])
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,6.5rem),1fr))] gap-3 sm:gap-5">
      <TrimTime {...props} end="fromMs" picture={pictures.get(shownMs.fromMs)} />
      <TrimTime {...props} end="toMs" picture={pictures.get(shownMs.toMs)} />
    </div>
  )
}

interface TrimTimeProps extends TrimTimesProps {
  readonly end: TrimEnd
  readonly picture: Blob | undefined
}

const LABELS: Readonly<Record<TrimEnd, string>> = { fromMs: 'From', toMs: 'To' }

function TrimTime({ places, trim, end, picture, note, onNote, onChange }: TrimTimeProps) {
  /** What is being typed; null while the field says where the handle is. */
  const [typed, setTyped] = useState<string | null>(null)
  const take = () => {
    if (typed === null) return
    const read = readTime({ places, trim, end }, typed)
    if (!read.ok) return onNote({ end, text: read.error, isError: true })
    setTyped(null)
    onChange(read.trim)
    onNote(read.note === null ? null : { end, text: read.note, isError: false })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    take()
  }
  return (
    <form noValidate onSubmit={submit} className="flex min-w-0 flex-col gap-2">
      <div
        aria-hidden
        className="relative aspect-video max-h-40 w-full overflow-hidden rounded-lg bg-surface-sunken"
      >
        {picture === undefined ? null : (
          <BlobImage blob={picture} alt="" className="absolute inset-0 size-full object-contain" />
        )}
      </div>
      <TextField
        label={LABELS[end]}
        value={typed ?? trimPlaceWords(trim[end])}
        onChange={(text) => {
          setTyped(text)
          if (note?.end === end) onNote(null)
        }}
        onBlur={take}
        autoComplete="off"
        isErrorElsewhere
        error={note?.isError === true && note.end === end ? note.text : null}
        inputClassName="tabular-nums"
      />
    </form>
  )
}
