import { middleOf } from '#recipes/even-places.ts'
import type { MomentChoice } from '#recipes/moment-choice.ts'
import { LivePreview } from '#src/components/preview/LivePreview.tsx'
import type { Tiles } from '#src/components/moments/MomentTile.tsx'
import { useMomentPlayer } from '#src/components/moments/use-moment-player.ts'
import { useBoardPictures } from '#src/hooks/moments/use-board-pictures.ts'
import type { PreviewFootage } from '#src/hooks/previews/use-preview-video.ts'
import { placeIn, type UploadMoments } from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'
import { MomentBoard } from './MomentBoard.tsx'
import type { OwnSearch } from './OwnSearchNote.tsx'
import type { BegunBoard, MomentDraft } from './use-moment-choice.ts'

/** The file of a video that this device can read. */
export interface FileHere {
  readonly file: File
  readonly source: PreviewVideo['source']
}

/** What a board shows beside the choice. */
export interface ShownBoard extends BegunBoard {
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

interface OpenBoardProps {
  readonly shown: ShownBoard
  readonly draft: MomentDraft
  /** The edit with the choice as it stands; null while the moments do not fit. */
  readonly request: TaskRequest | null
  readonly footage: PreviewFootage | null
}

/** The board with its pictures, and the preview of what would be made. */
export function OpenBoard({ shown, draft, request, footage }: OpenBoardProps) {
  const { board, motion, own } = shown
  const tiles = useOwnTiles(shown, draft.choice)
  const player = useMomentPlayer(motion)
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
function useOwnTiles({ tiles, here, own }: ShownBoard, { shown }: MomentChoice): Tiles {
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
