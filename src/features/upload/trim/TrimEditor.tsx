import { useEffect, useId, useRef, useState } from 'react'
import { rangeWords } from '#src/components/upload-words/trim-words.ts'
import { lengthWords } from '#src/lib/time-words.ts'
import { partOfWhole } from '#src/components/upload-words/sending-words.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { Button } from '#src/ui/Button.tsx'
import { classNames } from '#src/ui/class-names.ts'
import { errorLook, hintLook, labelLook } from '#src/ui/field-look.ts'
import type { Trim } from '#src/local/uploads/page/trim.ts'
import { isSameTrim, wholeOf } from './trim-moves.ts'
import { TrimStrip } from './TrimStrip.tsx'
import { TrimTimes, type TimeNote } from './TrimTimes.tsx'
import type { TrimChoice, TrimSubject } from './use-trim-choice.ts'

/**
 * The choice of what is sent of a video: a strip of its pictures with two handles, and two times.
 * Nothing while it is closed.
 */
export function TrimEditor({ choice }: { readonly choice: TrimChoice | null }) {
  return choice?.step === 'open' ? <OpenEditor choice={choice} /> : null
}

function OpenEditor({ choice }: { readonly choice: TrimChoice }) {
  const { file, places } = choice.subject
  const whole = wholeOf(places)
  const id = useId()
  const [trim, setTrim] = useState(choice.subject.trim ?? whole)
  const [note, setNote] = useState<TimeNote | null>(null)
  const editor = useFocusWithin()
  const change = (next: Trim) => {
    setTrim(next)
    setNote(null)
  }
  const isPart = !isSameTrim(trim, whole)
  const strip = { file, places, trim, onChange: change }
  return (
    <fieldset
      ref={editor}
      className="@container min-w-0 rounded-control border border-line p-4 pt-3"
    >
      <legend className={classNames('px-1', labelLook)}>What is sent of your video</legend>
      <TrimStrip {...strip} />
      <div className="mt-4 grid gap-4 @3xl:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] @3xl:items-end @3xl:gap-8">
        <TrimTimes {...strip} note={note} onNote={setNote} />
        <div>
          <p id={id} aria-live="polite" className="font-medium tabular-nums">
            {isPart ? sentWords(trim, choice.subject) : WHOLE}
          </p>
          <Note note={note} arrivedBytes={choice.subject.arrivedBytes} />
          <Actions
            choice={choice}
            isPart={isPart}
            describedBy={id}
            onUse={() => choice.choose(trim)}
          />
        </div>
      </div>
    </fieldset>
  )
}

/** The first control has the focus where the press that opened the choice took its button away. */
function useFocusWithin() {
  const element = useRef<HTMLFieldSetElement>(null)
  useEffect(() => element.current?.querySelector('input')?.focus({ preventScroll: true }), [])
  return element
}

const WHOLE = 'Move a handle to leave out the beginning or the end.'
const STOPS = 'The handles stop where your video can be cut without a change to its picture.'

/** 'Only 0:40 to 31:10 (30:30), 6.2 of 25 GB'. */
function sentWords(trim: Trim, { file, places }: TrimSubject): string {
  const length = lengthWords(trim.toMs - trim.fromMs)
  return `Only ${rangeWords(trim)} (${length}), ${partOfWhole(places.sizeOf(trim), file.size)}`
}

/** Always takes its line, so that the buttons stay where they are when a field is left. */
function Note({
  note,
  arrivedBytes,
}: {
  readonly note: TimeNote | null
  readonly arrivedBytes: number
}) {
  const lost =
    arrivedBytes === 0 ? '' : ` The ${formatBytes(arrivedBytes)} that have arrived are given up.`
  return note?.isError === true ? (
    <p role="alert" className={classNames('mt-1', errorLook)}>
      {note.text}
    </p>
  ) : (
    <p aria-live="polite" className={classNames('mt-1', hintLook)}>
      {note?.text ?? `${STOPS}${lost}`}
    </p>
  )
}

function Actions({
  choice: { isBusy, refusal, choose },
  isPart,
  describedBy,
  onUse,
}: {
  readonly choice: TrimChoice
  readonly isPart: boolean
  readonly describedBy: string
  readonly onUse: () => void
}) {
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          variant="secondary"
          onPress={onUse}
          isBusy={isBusy}
          isDisabled={!isPart}
          describedBy={describedBy}
        >
          Use this part
        </Button>
        <Button variant="quiet" onPress={() => choose(null)} isDisabled={isBusy}>
          Send the whole video
        </Button>
      </div>
      {refusal === null ? null : (
        <p role="alert" className={classNames('mt-2', errorLook)}>
          {refusal}
        </p>
      )}
    </>
  )
}
