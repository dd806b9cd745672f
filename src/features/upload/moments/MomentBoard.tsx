import { Shuffle, Undo2, X } from 'lucide-react'
import { wantedAt, type MomentBoard as Board } from '#recipes/moment-candidates.ts'
import { placeWords, stretchWords } from '#recipes/moment-choice.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { CandidateStrip } from './CandidateStrip.tsx'
import type { Tiles } from '#src/components/moments/MomentTile.tsx'
import { PlayedPoints } from '#src/components/moments/MovingTile.tsx'
import { OwnSearchNote, type OwnSearch } from './OwnSearchNote.tsx'
import { PointsFields } from './PointsFields.tsx'
import { MomentActions, ShownMoments } from './ShownMoments.tsx'
import type { MomentDraft } from './use-moment-choice.ts'
import type { MomentPlayer } from '#src/components/moments/use-moment-player.ts'

interface MomentBoardProps {
  readonly board: Board
  readonly draft: MomentDraft
  readonly tiles: Tiles
  readonly player: MomentPlayer
  /** The moments are those of this device; left out after a search of the server. */
  readonly own?: OwnSearch
}

/** What an edit will show, and everything by which its moments are changed (REC-21). */
export function MomentBoard({ board, draft, tiles, player, own }: MomentBoardProps) {
  const { choice } = draft
  return (
    // On laptops what changes a moment stands beside them all, and stays in view.
    <div className="grid items-start gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-5">
        <p>
          Exactly these moments will be delivered, in this order. Locked ones stay when the others
          change.
        </p>
        {own === undefined ? null : <OwnSearchNote {...own} made={tiles.made} />}
        <ShownMoments board={board} draft={draft} tiles={tiles} player={player} />
      </div>
      <div className="flex min-w-0 flex-col gap-5 lg:sticky lg:top-0">
        <MomentActions board={board} draft={draft} />
        <p role="status" className="min-h-5 text-sm text-ink">
          {draft.said}
        </p>
        {player.hasFailed ? (
          <p role="status" className="text-sm">
            {own === undefined ? NOT_NOW : NOT_HERE}
          </p>
        ) : null}
        {draft.problem === null ? null : (
          <Notice kind="warning" isLive title="These moments do not fit yet">
            {draft.problem}
          </Notice>
        )}
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="small" onPress={draft.surprise}>
            <Shuffle aria-hidden className="size-4" />
            Surprise me
          </Button>
          <Button
            variant="secondary"
            size="small"
            onPress={draft.startOver}
            isDisabled={draft.isUntouched}
          >
            <Undo2 aria-hidden className="size-4" />
            Start over
          </Button>
        </div>
        <CandidateStrip board={board} draft={draft} tiles={tiles} player={player} />
        <OwnPoints board={board} draft={draft} tiles={tiles} player={player} />
        {choice.banned.length === 0 ? null : <BannedMoments draft={draft} />}
      </div>
    </div>
  )
}

const NOT_NOW =
  'Moments cannot be played now. Try again when you are online; the pictures and what you choose stay as they are.'
const NOT_HERE =
  'This browser cannot play your video. The pictures and what you choose stay as they are.'

/** The points of the selected moment, and of one more where the edit has room for any number. */
function OwnPoints({ board, draft, tiles, player }: MomentBoardProps) {
  const { one, selected, choice } = draft
  const { slots } = board.rule
  const previewOf = (name: string) => (points: Stretch) => (
    <PlayedPoints player={player} tile={name} stretch={points} tiles={tiles} name={name} />
  )
  return (
    <>
      {one === undefined ? null : (
        <PointsFields
          key={`${selected} ${one.startMs} ${one.endMs}`}
          legend={`Points of ${placeWords(board.rule, selected)}`}
          initial={one}
          lengthMs={slots === null ? null : wantedAt(board, choice, selected).lengthMs}
          sourceDurationMs={board.sourceDurationMs}
          buttonText="Set points"
          onSet={draft.setPoints}
          preview={previewOf('these points')}
        />
      )}
      {slots !== null ? null : (
        <PointsFields
          legend="Add a moment of your own"
          lengthMs={null}
          sourceDurationMs={board.sourceDurationMs}
          buttonText="Add moment"
          onSet={draft.addPoints}
          preview={previewOf('your own moment')}
        />
      )}
    </>
  )
}

/** What is never proposed, each with the way back. */
function BannedMoments({ draft }: Pick<MomentBoardProps, 'draft'>) {
  return (
    <section aria-labelledby="moment-bans">
      <h3 id="moment-bans" className="font-semibold text-ink">
        Never shown
      </h3>
      <ul className="mt-2 flex flex-wrap gap-2">
        {draft.choice.banned.map((stretch) => {
          const times = stretchWords(stretch, '–')
          return (
            <li key={`${stretch.startMs} ${stretch.endMs}`}>
              <Button
                variant="secondary"
                label={`Allow ${times} again`}
                onPress={() => draft.unban(stretch)}
              >
                {times}
                <X aria-hidden className="size-4" />
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
