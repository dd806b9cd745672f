import { Plus, Undo2 } from 'lucide-react'
import { useRef, useState, type RefObject } from 'react'
import type { Stretch } from '#recipes/stretch.ts'
import { lengthWords } from '#src/lib/time-words.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { Button } from '#src/ui/Button.tsx'
import {
  newBoxAt,
  shotAt,
  withBox,
  withBoxEnd,
  withoutBox,
  withWhole,
  type DrawnTrack,
} from './decisions.ts'
import { coveredAbove } from './FaceStrip.tsx'
import type { Desk } from './use-desk.ts'

/** What a person covers that the search did not find: boxes, and stretches of whole pictures. */
export function ByHand({
  desk,
  frame,
}: {
  readonly desk: Desk
  /** The picture of the video. */
  readonly frame: RefObject<HTMLElement | null>
}) {
  const { decisions } = desk
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that was pressed goes with what it removes.
  const keepFocus = () => {
    if (heading.current === null) return
    heading.current.style.scrollMarginTop = `${coveredAbove(frame.current)}px`
    heading.current.focus()
  }
  return (
    <section aria-labelledby="by-hand" className="mt-6 flex flex-col gap-3">
      <h2 ref={heading} id="by-hand" tabIndex={-1} className="text-xl font-bold">
        Covered by hand
      </h2>
      <Add desk={desk} />
      <ul className="flex flex-col gap-2">
        {decisions.added.map((track, index) => (
          <Box
            key={track.id}
            desk={desk}
            track={track}
            name={`Box ${index + 1}`}
            onRemoved={keepFocus}
          />
        ))}
        {decisions.wholly.map((stretch) => (
          <WholeStretch
            key={`${stretch.startMs}-${stretch.endMs}`}
            desk={desk}
            stretch={stretch}
            onRemoved={keepFocus}
          />
        ))}
      </ul>
    </section>
  )
}

function Add({ desk }: { readonly desk: Desk }) {
  const { decisions, decide, atMs, review } = desk
  const { ids } = useLocal()
  const [fromMs, setFromMs] = useState<number | null>(null)
  const addBox = () =>
    decide(
      withBox(decisions, {
        id: ids.uuid(),
        box: newBoxAt(decisions, atMs),
        shot: shotAt(review, atMs),
      }),
    )
  const coverUntilHere = () => {
    if (fromMs === null) return
    const stretch = { startMs: Math.min(fromMs, atMs), endMs: Math.max(fromMs, atMs) }
    setFromMs(null)
    if (stretch.endMs > stretch.startMs) decide(withWhole(decisions, stretch, true))
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="secondary" size="small" onPress={addBox}>
        <Plus aria-hidden className="size-4" />
        Add a box
      </Button>
      {fromMs === null ? (
        <Button variant="secondary" size="small" onPress={() => setFromMs(atMs)}>
          Cover everything from here
        </Button>
      ) : (
        <Button variant="secondary" size="small" onPress={coverUntilHere}>
          Cover everything from {lengthWords(fromMs)} until here
        </Button>
      )}
      <Button
        variant="quiet"
        size="small"
        isDisabled={desk.undo === null}
        onPress={() => desk.undo?.()}
      >
        <Undo2 aria-hidden className="size-4" />
        Undo
      </Button>
    </div>
  )
}

function Box({
  desk,
  track,
  name,
  onRemoved,
}: {
  readonly desk: Desk
  readonly track: DrawnTrack
  readonly name: string
  readonly onRemoved: () => void
}) {
  const { decisions, decide, atMs } = desk
  const remove = () => {
    decide(withoutBox(decisions, track.id))
    onRemoved()
  }
  const change = (end: Partial<Stretch>) => () => decide(withBoxEnd(decisions, track.id, end))
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="font-medium tabular-nums">
        {name}: {lengthWords(track.startMs)} to {lengthWords(track.endMs)}
      </span>
      <SmallButton name={name} onPress={() => desk.setAtMs(track.startMs)}>
        Show
      </SmallButton>
      <SmallButton name={name} isDisabled={atMs >= track.endMs} onPress={change({ startMs: atMs })}>
        Begin here
      </SmallButton>
      <SmallButton name={name} isDisabled={atMs <= track.startMs} onPress={change({ endMs: atMs })}>
        End here
      </SmallButton>
      <SmallButton name={name} onPress={remove}>
        Remove
      </SmallButton>
    </li>
  )
}

function WholeStretch({
  desk,
  stretch,
  onRemoved,
}: {
  readonly desk: Desk
  readonly stretch: Stretch
  readonly onRemoved: () => void
}) {
  const remove = () => {
    desk.decide(withWhole(desk.decisions, stretch, false))
    onRemoved()
  }
  const time = `${lengthWords(stretch.startMs)} to ${lengthWords(stretch.endMs)}`
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="font-medium tabular-nums">Everything: {time}</span>
      <SmallButton name={time} onPress={() => desk.setAtMs(stretch.startMs)}>
        Show
      </SmallButton>
      <SmallButton name={time} onPress={remove}>
        Remove
      </SmallButton>
    </li>
  )
}

function SmallButton({
  children,
  name,
  onPress,
  isDisabled = false,
}: {
  readonly children: string
  readonly name: string
  readonly onPress: () => void
  readonly isDisabled?: boolean
}) {
  return (
    <Button
      variant="quiet"
      size="small"
      label={`${children}: ${name}`}
      isDisabled={isDisabled}
      onPress={onPress}
    >
      {children}
    </Button>
  )
}
