import { Button as AriaButton } from 'react-aria-components/Button'
import { Toolbar } from 'react-aria-components/Toolbar'
import { candidatesOf, wantedAt, type MomentBoard } from '#recipes/moment-candidates.ts'
import { overlap, placeName, pointWords } from '#recipes/moment-choice.ts'
import { classNames } from '#src/ui/class-names.ts'
import { MomentTile, type Tiles } from './MomentTile.tsx'
import type { MomentDraft } from './use-moment-choice.ts'

/**
 * All moments that the board knows, in the order of the video. What is shown has its number; a
 * press shows another one in the place of the selected moment.
 */
export function CandidateStrip({
  board,
  draft,
  tiles,
}: {
  readonly board: MomentBoard
  readonly draft: MomentDraft
  readonly tiles: Tiles
}) {
  const { one, choice, selected } = draft
  if (one === undefined || board.placesMs.length === 0) return null
  return (
    <section aria-labelledby="moment-candidates">
      <h3 id="moment-candidates" className="font-semibold text-ink">
        Moments to choose from
      </h3>
      <p className="mt-1 text-sm">
        Press one to show it in the place of {placeName(board.rule, selected).toLowerCase()}.
      </p>
      <Toolbar
        aria-labelledby="moment-candidates"
        className="mt-3 flex gap-2 overflow-x-auto p-1 pb-3"
      >
        {candidatesOf(board, wantedAt(board, choice, selected)).map((candidate) => {
          const place = choice.shown.findIndex(
            ({ startMs, endMs }) => startMs <= candidate.placeMs && candidate.placeMs < endMs,
          )
          const isBanned = choice.banned.some((each) => overlap(each, candidate))
          const time = pointWords(candidate.placeMs)
          const text = place < 0 ? time : `${place + 1} · ${time}`
          return (
            <AriaButton
              key={candidate.placeMs}
              aria-label={`${text}${noteOf(place, isBanned)}`}
              onPress={() => (place < 0 ? draft.usePlace(candidate.placeMs) : draft.select(place))}
              isDisabled={isBanned}
              className={classNames(
                'w-28 shrink-0 cursor-pointer rounded-lg p-1 text-xs text-ink tabular-nums outline-0 hover:bg-surface-sunken data-disabled:cursor-not-allowed data-focus-visible:outline-2 data-focus-visible:outline-accent',
                place >= 0 && 'bg-accent-soft ring-2 ring-accent',
              )}
            >
              <MomentTile
                tiles={tiles}
                stretch={{ startMs: candidate.placeMs, endMs: candidate.placeMs + 1 }}
              />
              <span className="mt-1 block">{text}</span>
              {isBanned ? <span className="block text-ink-muted">Never shown</span> : null}
            </AriaButton>
          )
        })}
      </Toolbar>
    </section>
  )
}

/** Follows the time, so that the name begins with what is seen. */
function noteOf(place: number, isBanned: boolean): string {
  if (place >= 0) return ', shown'
  return isBanned ? ' Never shown' : ', show it'
}
