import { Button as AriaButton } from 'react-aria-components/Button'
import { Toolbar } from 'react-aria-components/Toolbar'
import {
  candidatesOf,
  wantedAt,
  type Candidate,
  type MomentBoard,
} from '#recipes/moment-candidates.ts'
import { overlap, placeWords, pointWords } from '#recipes/moment-choice.ts'
import { classNames } from '#src/ui/class-names.ts'
import type { Tiles } from '#src/components/moments/MomentTile.tsx'
import { MovingTile, PlayButton, playingProps } from '#src/components/moments/MovingTile.tsx'
import type { MomentDraft } from './use-moment-choice.ts'
import type { MomentPlayer } from '#src/components/moments/use-moment-player.ts'

interface CandidateStripProps {
  readonly board: MomentBoard
  readonly draft: MomentDraft
  readonly tiles: Tiles
  readonly player: MomentPlayer
}

/**
 * All moments that the board knows, in the order of the video. What is shown has its number; a
 * press shows another one in the place of the selected moment.
 */
export function CandidateStrip(props: CandidateStripProps) {
  const { board, draft } = props
  const { one, choice, selected } = draft
  if (one === undefined || board.placesMs.length === 0) return null
  return (
    <section aria-labelledby="moment-candidates">
      <h3 id="moment-candidates" className="font-semibold text-ink">
        Moments to choose from
      </h3>
      <p className="mt-1 text-sm">
        Press one to show it in the place of {placeWords(board.rule, selected)}.
      </p>
      <Toolbar
        aria-labelledby="moment-candidates"
        className="mt-3 flex gap-2 overflow-x-auto p-1 pb-3"
      >
        {candidatesOf(board, wantedAt(board, choice, selected)).map((candidate) => (
          <CandidateTile key={candidate.placeMs} {...props} candidate={candidate} />
        ))}
      </Toolbar>
    </section>
  )
}

function CandidateTile({
  draft,
  tiles,
  player,
  candidate,
}: CandidateStripProps & { readonly candidate: Candidate }) {
  const { choice } = draft
  const { placeMs } = candidate
  const place = choice.shown.findIndex(
    ({ startMs, endMs }) => startMs <= placeMs && placeMs < endMs,
  )
  const isBanned = choice.banned.some((each) => overlap(each, candidate))
  const time = pointWords(placeMs)
  const text = place < 0 ? time : `${place + 1} · ${time}`
  const moving = { player, tile: `candidate ${placeMs}`, stretch: candidate }
  return (
    <div className="relative shrink-0">
      <AriaButton
        {...playingProps(moving)}
        aria-label={`${text}${noteOf(place, isBanned)}`}
        onPress={() => (place < 0 ? draft.usePlace(placeMs) : draft.select(place))}
        isDisabled={isBanned}
        className={classNames(
          'w-28 cursor-pointer rounded-lg p-1 text-xs text-ink tabular-nums outline-0 hover:bg-surface-sunken data-disabled:cursor-not-allowed data-focus-visible:outline-2 data-focus-visible:outline-accent',
          place >= 0 && 'bg-accent-soft ring-2 ring-accent',
        )}
      >
        <MovingTile {...moving} tiles={tiles} pictureMs={placeMs} />
        <span className="mt-1 block">{text}</span>
        {isBanned ? <span className="block text-ink-muted">Never shown</span> : null}
      </AriaButton>
      <PlayButton {...moving} name={time} />
    </div>
  )
}

/** Follows the time, so that the name begins with what is seen. */
function noteOf(place: number, isBanned: boolean): string {
  if (place >= 0) return ', shown'
  return isBanned ? ' Never shown' : ', show it'
}
