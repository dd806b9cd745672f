import { useEffect, useEffectEvent } from 'react'
import { middleOf } from '#recipes/even-places.ts'
import type { MomentBoard as Board } from '#recipes/moment-candidates.ts'
import type { MomentChoice } from '#recipes/moment-choice.ts'
import { LivePreview } from '#src/components/preview/LivePreview.tsx'
import type { Tiles } from '#src/components/moments/MomentTile.tsx'
import { useMomentPlayer } from '#src/components/moments/use-moment-player.ts'
import { useBoardPictures } from '#src/hooks/moments/use-board-pictures.ts'
import type { PreviewFootage } from '#src/hooks/previews/use-preview-video.ts'
import {
  chosenMoments,
  placeIn,
  requestOfMoments,
  type UploadMoments,
} from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'
import { MomentBoard } from './MomentBoard.tsx'
import type { OwnSearch } from './OwnSearchNote.tsx'
import { useMomentChoice } from './use-moment-choice.ts'

/** What Apply would ask for; `none` where there is no board. */
export type Offer =
  | {
      /** Null while the moments do not fit. */
      readonly request: TaskRequest | null
      /** Why they do not. */
      readonly problem: string | null
      /** These moments are those that the edit shows by itself. */
      readonly isUntouched: boolean
      /** Something was changed since the board was opened. */
      readonly hasChanged: boolean
    }
  | 'none'

/** The file of a video that this device can read. */
export interface FileHere {
  readonly file: File
  readonly source: PreviewVideo['source']
}

export interface OpenBoardProps {
  readonly request: TaskRequest
  readonly footage: PreviewFootage | null
  readonly onOffer: (offer: Offer) => void
  readonly board: Board
  readonly begin: MomentChoice
  readonly tiles: Tiles
  readonly motion: UploadMoments['video']
  /** Pictures of it stand for moments that have no tile; null where the file is not here. */
  readonly here: FileHere | null
  /** Left out where the server has searched the video. */
  readonly own?: OwnSearch & {
    readonly order: readonly number[]
    readonly nearMs: number
  }
}

/** A board as long as it is open: of a choice that was changed nothing else changes anything. */
export function OpenBoard(props: OpenBoardProps) {
  const { board, begin, motion, footage, own } = props
  const draft = useMomentChoice(board, begin, chosenMoments(props.request), newSeed)
  const tiles = useOwnTiles(props, draft.choice)
  const player = useMomentPlayer(motion)
  const request = draft.problem === null ? requestOfMoments(props.request, draft.choice) : null
  const chosen = JSON.stringify(draft.choice)
  const atOpening = JSON.stringify(chosenMoments(props.request) ?? begin)
  const { problem } = draft
  // The server would choose others once it has searched the video.
  const isUntouched = draft.isUntouched && own === undefined
  const offer = useEffectEvent(() =>
    props.onOffer({ request, problem, isUntouched, hasChanged: chosen !== atOpening }),
  )
  const key = JSON.stringify([request, problem, chosen])
  useEffect(() => offer(), [key])
  return (
    <>
      <MomentBoard
        board={board}
        draft={draft}
        tiles={tiles}
        player={player}
        {...(own === undefined ? {} : { own })}
      />
      {/* What the server has plays on the board itself. */}
      {footage?.kind !== 'video' ? null : (
        <LivePreview
          footage={footage}
          request={request}
          {...(board.moments.length > 0 ? { moments: board.moments } : {})}
          isShownAtOnce={false}
        />
      )}
    </>
  )
}

/** A picture of another place of a moment than its middle may be so much earlier. */
const NEAR_MS = 500

/** The tiles, and pictures from the file for each moment that has none. */
function useOwnTiles({ tiles, here, own }: OpenBoardProps, { shown }: MomentChoice): Tiles {
  const order = own?.order ?? []
  const places = [...(tiles.pictures?.placesMs ?? []), ...order]
  const others = shown.filter((each) => placeIn(places, each) === null).map(middleOf)
  const nearMs = own?.nearMs ?? NEAR_MS
  const pictured =
    here === null ? null : { file: here.file, durationMs: here.source.durationMs, nearMs }
  const made = useBoardPictures(pictured, [...order, ...others])
  if (here === null) return tiles
  const { width, height } = here.source
  return { ...tiles, made: { ...made, width, height } }
}

function newSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
}
