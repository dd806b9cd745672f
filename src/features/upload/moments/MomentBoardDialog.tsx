import { useEffect, useEffectEvent, useId, useState } from 'react'
import type { MomentBoard as Board } from '#recipes/moment-candidates.ts'
import type { MomentChoice } from '#recipes/moment-choice.ts'
import { LivePreview } from '#src/components/preview/LivePreview.tsx'
import { PullFailure } from '#src/components/PullFailure.tsx'
import { useBlobUrl } from '#src/hooks/use-blob-url.ts'
import { useUploadMoments } from '#src/hooks/use-upload-moments.ts'
import {
  chosenMoments,
  momentBoard,
  requestOfMoments,
  type UploadMoments,
} from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import type { PreviewFootage } from '#src/hooks/use-preview-video.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'
import { Waiting } from '#src/ui/Waiting.tsx'
import { MomentBoard } from './MomentBoard.tsx'
import type { Tiles } from '#src/components/moments/MomentTile.tsx'
import { useMomentChoice } from './use-moment-choice.ts'
import { useMomentPlayer } from '#src/components/moments/use-moment-player.ts'

export interface MomentBoardDialogProps {
  readonly uploadRequestId: string
  /** The edit whose moments are chosen, with its options; null keeps it closed. */
  readonly request: TaskRequest | null
  readonly name: string
  /** Null where no preview can be made. */
  readonly footage: PreviewFootage | null
  /** @param isUntouched these moments are those that the edit shows by itself */
  readonly onApply: (request: TaskRequest, isUntouched: boolean) => void
  readonly onClose: () => void
}

/** What Apply would ask for; `none` where there is no board. */
type Offer =
  | {
      /** Null while the moments do not fit. */
      readonly request: TaskRequest | null
      /** Why they do not. */
      readonly problem: string | null
      readonly isUntouched: boolean
      /** Something was changed since the board was opened. */
      readonly hasChanged: boolean
    }
  | 'none'

/** The moment board of one edit of an upload as a modal; Apply keeps the choice. */
export function MomentBoardDialog({
  request,
  name,
  onApply,
  onClose,
  ...of
}: MomentBoardDialogProps) {
  const [offer, setOffer] = useState<Offer>('none')
  const [isLeaving, setIsLeaving] = useState(false)
  const close = () => {
    setIsLeaving(false)
    setOffer('none')
    onClose()
  }
  const apply = (request: TaskRequest, isUntouched: boolean) => {
    setOffer('none')
    onApply(request, isUntouched)
  }
  return (
    <>
      <Dialog
        title={`Moments of ${name}`}
        width="wide"
        isOpen={request !== null}
        // Escape or a press beside the board may be a slip, and minutes of choosing would go.
        onClose={() => (offer !== 'none' && offer.hasChanged ? setIsLeaving(true) : close())}
        footer={
          <>
            <Button variant="secondary" onPress={close}>
              {offer === 'none' ? 'Close' : 'Cancel'}
            </Button>
            {offer === 'none' ? null : <Apply offer={offer} onApply={apply} />}
          </>
        }
      >
        {request === null ? null : <BoardOrWhyNot {...of} request={request} onOffer={setOffer} />}
      </Dialog>
      <QuestionDialog
        title="Leave without applying?"
        isOpen={isLeaving}
        keepWords="Go on choosing"
        actWords="Leave"
        onAct={close}
        onClose={() => setIsLeaving(false)}
      >
        What you changed on this board is forgotten then.
      </QuestionDialog>
    </>
  )
}

/** Stands with the reason while it cannot, since what says it in full may be a screen above. */
function Apply({
  offer: { request, problem, isUntouched },
  onApply,
}: {
  readonly offer: Exclude<Offer, 'none'>
  readonly onApply: (request: TaskRequest, isUntouched: boolean) => void
}) {
  const why = useId()
  return (
    <>
      <Button
        onPress={() => (request === null ? undefined : onApply(request, isUntouched))}
        isDisabled={request === null}
        describedBy={why}
      >
        Apply
      </Button>
      {/* The rows of the footer wrap upwards. */}
      <p id={why} className="basis-full text-sm empty:hidden">
        {problem}
      </p>
    </>
  )
}

interface BoardProps extends Pick<MomentBoardDialogProps, 'uploadRequestId' | 'footage'> {
  readonly request: TaskRequest
  readonly onOffer: (offer: Offer) => void
}

function BoardOrWhyNot(props: BoardProps) {
  const { pull, tiles } = useUploadMoments(props.uploadRequestId)
  const address = useBlobUrl(tiles)
  const found = pull.data
  const made = found?.state === 'ready' ? momentBoard(props.request, found) : null
  if (found !== null && made !== null)
    return (
      <OpenBoard
        {...props}
        {...made}
        tiles={{ address, pictures: found.pictures }}
        motion={found.video}
      />
    )
  return (
    <>
      <PullFailure pull={pull} title="The moments of this video could not be loaded" />
      {found === null && pull.failure === null ? <Waiting>Asking for the moments</Waiting> : null}
      {found === null ? null : <NoBoard found={found} />}
    </>
  )
}

/** Why there is nothing to choose from, yet or at all. */
function NoBoard({ found }: { readonly found: UploadMoments }) {
  switch (found.state) {
    case 'unchecked':
      return (
        <p>
          Moments can be chosen once your video is uploaded and checked. You can also order this
          edit now: it then shows the moments that Onecut finds best.
        </p>
      )
    case 'searching':
      return (
        <>
          <Waiting>Looking for moments in your video</Waiting>
          <p className="mt-3">
            Edits that are paid for come first, so this can take a while. You can also order this
            edit now: it then shows the moments that Onecut finds best.
          </p>
        </>
      )
    case 'ready':
      return <p>This edit shows all of your video, so there is nothing to choose.</p>
  }
}

interface OpenBoardProps extends BoardProps {
  readonly board: Board
  readonly begin: MomentChoice
  readonly tiles: Tiles
  readonly motion: UploadMoments['video']
}

function OpenBoard(props: OpenBoardProps) {
  const { board, begin, tiles, motion, footage } = props
  const draft = useMomentChoice(board, begin, chosenMoments(props.request), newSeed)
  const player = useMomentPlayer(motion)
  const request = draft.problem === null ? requestOfMoments(props.request, draft.choice) : null
  const chosen = JSON.stringify(draft.choice)
  const [atOpening] = useState(chosen)
  const { problem, isUntouched } = draft
  const offer = useEffectEvent(() =>
    props.onOffer({ request, problem, isUntouched, hasChanged: chosen !== atOpening }),
  )
  const key = JSON.stringify([request, problem, chosen])
  useEffect(() => offer(), [key])
  return (
    <>
      <MomentBoard board={board} draft={draft} tiles={tiles} player={player} />
      {/* What the server has plays on the board itself. */}
      {footage?.kind !== 'video' ? null : (
        <LivePreview
          footage={footage}
          request={request}
          moments={board.moments}
          isShownAtOnce={false}
        />
      )}
    </>
  )
}

function newSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
}
