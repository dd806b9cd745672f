import { Pause, Play } from 'lucide-react'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { spokenLength } from '#recipes/length-words.ts'
import { useSharedSound } from '#src/components/assets/use-shared-sound.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import type { MusicTrack } from '#src/local/nouns/music-tracks.ts'
import { hintLook, labelLook } from '#src/ui/field-look.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'

export interface MusicFieldProps {
  readonly music: Shown<readonly MusicTrack[]>
  /** '' for none. */
  readonly chosenId: string
  readonly onChange: (id: string) => void
}

/** The choice of music, each piece of which can be listened to before it is chosen. */
export function MusicField({ music, chosenId, onChange }: MusicFieldProps) {
  const sound = useSharedSound()
  const tracks = music.data ?? []
  return (
    <fieldset className="min-w-0 rounded-control border border-line p-4">
      <legend className={`px-1 ${labelLook}`}>Music (optional)</legend>
      {music.data === null && music.failure === null ? (
        <div role="status" aria-label="Loading music">
          <Skeleton className="h-16" />
        </div>
      ) : null}
      {music.data === null ? <PullFailure pull={music} title="Unable to fetch music" /> : null}
      <RadioGroup aria-label="Music" value={chosenId} onChange={onChange} className="flex flex-col">
        <Choice id="" name="No music" facts={null} />
        {tracks.map((track) => (
          <div key={track._id} className="flex items-center gap-2 border-t border-line">
            <Choice id={track._id} name={track.name} facts={factsOf(track)} />
            {track.previewUrl === null ? null : (
              <IconButton
                label={`${sound.playingId === track._id ? 'Stop' : 'Play'} ${track.name}`}
                icon={sound.playingId === track._id ? <Pause aria-hidden /> : <Play aria-hidden />}
                onPress={() => sound.toggle(track._id, track.previewUrl ?? '')}
              />
            )}
          </div>
        ))}
      </RadioGroup>
      <p className={`mt-2 ${hintLook}`}>
        It gives way where something is said. The cuts follow its beat where that is known.
      </p>
    </fieldset>
  )
}

function factsOf({ duration, credit }: MusicTrack): string | null {
  const parts = [duration === null ? null : spokenLength(duration), credit]
  const said = parts.filter((part) => part !== null)
  return said.length === 0 ? null : said.join(' · ')
}

interface ChoiceProps {
  readonly id: string
  readonly name: string
  readonly facts: string | null
}

function Choice({ id, name, facts }: ChoiceProps) {
  return (
    <Radio
      value={id}
      className="group flex min-h-12 min-w-0 flex-1 cursor-pointer items-center gap-3 text-[0.9375rem] text-ink"
    >
      <span
        aria-hidden
        className="grid size-5 shrink-0 place-items-center rounded-full border border-line-control bg-surface group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-2 group-data-focus-visible:outline-accent group-data-selected:border-accent"
      >
        <span className="size-2.5 rounded-full bg-transparent group-data-selected:bg-accent" />
      </span>
      <span className="min-w-0">
        <span className="block leading-snug wrap-anywhere">{name}</span>
        {facts === null ? null : <span className={`block ${hintLook}`}>{facts}</span>}
      </span>
    </Radio>
  )
}
