import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { soundFacts, soundName } from './sound-words.ts'
import type {
  SoundKeeping,
  SoundsHere,
  SoundToChoose,
} from '#src/hooks/uploads/use-upload-sounds.ts'
import { Button } from '#src/ui/Button.tsx'
import { hintLook, labelLook } from '#src/ui/field-look.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'

/**
 * The choice of the sound that all edits of a video use. Renders nothing where fewer than two are
 * heard.
 */
export function SoundChoice({ here }: { readonly here: SoundsHere }) {
  const { pull, sounds, taken } = here
  if (sounds === null && pull.failure === null)
    return (
      <div role="status" aria-label="Loading sounds" className="mt-5">
        <Skeleton className="h-24" />
      </div>
    )
  if (sounds === null)
    return (
      <PullFailure pull={pull} title="Unable to fetch the sounds of this video" className="mt-5" />
    )
  if (sounds.length === 0) return null
  return (
    <fieldset className="mt-5 min-w-0 rounded-control border border-line p-4">
      <legend className={`px-1 ${labelLook}`}>Sound of your edits</legend>
      <p className={hintLook}>
        {sounds.length} sounds are heard in this video. All edits use the one you choose, also those
        that still wait to be made.
      </p>
      <RadioGroup
        aria-label="Sound of your edits"
        value={taken === null ? null : String(taken)}
        onChange={(value) => void here.choose(Number(value))}
        className="mt-1 flex flex-col divide-y divide-line"
      >
        {sounds.map((sound) => (
          <Choice key={sound.number} sound={sound} />
        ))}
      </RadioGroup>
      <Keeping keeping={here.keeping} onDiscard={() => void here.discard()} />
      <PullFailure pull={pull} title="Unable to fetch the sounds of this video" className="mt-3" />
    </fieldset>
  )
}

function Choice({ sound }: { readonly sound: SoundToChoose }) {
  const facts = soundFacts(sound)
  return (
    <Radio
      value={String(sound.number)}
      className="group flex min-h-14 min-w-0 cursor-pointer items-center gap-3 py-2 data-focus-visible:outline-2 data-focus-visible:outline-accent"
    >
      <span
        aria-hidden
        className="size-5 shrink-0 rounded-full border-2 border-line-control group-data-selected:border-6 group-data-selected:border-accent-from"
      />
      <span className="min-w-0 flex-1">
        <span className="block leading-snug font-medium wrap-anywhere">
          {soundName(sound)}
          {sound.isUsual ? <span className="font-normal text-ink-muted"> (suggested)</span> : null}
        </span>
        {facts === null ? null : <span className="block text-sm text-ink-muted">{facts}</span>}
      </span>
    </Radio>
  )
}

function Keeping({
  keeping,
  onDiscard,
}: {
  readonly keeping: SoundKeeping
  readonly onDiscard: () => void
}) {
  if (keeping === 'on-this-device')
    return (
      <p role="status" className="mt-2 text-sm text-ink-muted">
        Your choice is kept on this device and is sent as soon as the server answers.
      </p>
    )
  if (keeping !== 'refused') return null
  return (
    <Notice
      kind="error"
      isLive
      title="Your choice was not stored"
      className="mt-3"
      action={
        <Button variant="secondary" onPress={onDiscard}>
          Show the stored choice
        </Button>
      }
    >
      The server has no such sound of this video. Please choose again.
    </Notice>
  )
}
