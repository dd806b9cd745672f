import { useId, useState } from 'react'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { useBlobUrl } from '#src/hooks/previews/use-blob-url.ts'
import { useKeyTimes } from '#src/features/upload/first/use-excerpts.ts'
import { useFoundMoments } from './use-found-moments.ts'
import { useOpenedVideo } from './use-opened-video.ts'
import type { PreviewFootage } from '#src/hooks/previews/use-preview-video.ts'
import { useUploadByRequestId } from '#src/hooks/uploads/use-upload.ts'
import { useUploadMoments } from '#src/hooks/moments/use-upload-moments.ts'
import { isReceived } from '#src/local/db/upload-states.ts'
import { deviceBoard, type DeviceBoard } from '#src/local/edits/device-board.ts'
import { momentBoard, type UploadMoments } from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'
import { Waiting } from '#src/ui/Waiting.tsx'
import { OpenBoard, type FileHere, type Offer } from './OpenBoard.tsx'

export interface MomentBoardDialogProps {
  /** Null before the server knows the video. */
  readonly uploadRequestId: string | null
  /** The edit whose moments are chosen, with its options; null keeps it closed. */
  readonly request: TaskRequest | null
  readonly name: string
  /** Null where no preview can be made. */
  readonly footage: PreviewFootage | null
  /** @param isUntouched these moments are those that the edit shows by itself */
  readonly onApply: (request: TaskRequest, isUntouched: boolean) => void
  readonly onClose: () => void
}

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

/**
 * The board by what the server has found in the video. Until it has, the board by the file of this
 * device, which then stays as it is: a search of the server that ends changes nothing under a
 * person's hands.
 */
function BoardOrWhyNot(props: BoardProps) {
  const { request, uploadRequestId, footage } = props
  const row = useUploadByRequestId(uploadRequestId)
  const isOnItsWay =
    uploadRequestId === null || (row !== undefined && row !== null && !isReceived(row.state.kind))
  const { here, isOpening, own } = useFileHere(request, footage)
  const isKnownHere = isOpening || own !== null
  // What has not arrived was not searched.
  const isAsked = row !== undefined && !(isOnItsWay && isKnownHere)
  const { pull, tiles } = useUploadMoments(isAsked ? uploadRequestId : null)
  const address = useBlobUrl(tiles)
  const [board, setBoard] = useState<OwnBoard | null>(null)
  const found = pull.data
  const isSearched = found?.state === 'ready'
  const isAnswered = isOnItsWay || found !== null || pull.failure !== null
  if (board === null && own !== null && isAnswered && !isSearched) setBoard(own)
  if (board !== null) return <DeviceOwnBoard {...props} {...board} isOnItsWay={isOnItsWay} />
  const made = isSearched ? momentBoard(request, found) : null
  if (found !== null && made !== null)
    return (
      <OpenBoard
        {...props}
        {...made}
        here={here}
        tiles={{ address, pictures: found.pictures }}
        motion={found.video}
      />
    )
  if (found === null && (isOpening || isOnItsWay) && isKnownHere)
    return <Waiting>Opening your video</Waiting>
  return (
    <>
      <PullFailure pull={pull} title="The moments of this video could not be loaded" />
      {found === null && pull.failure === null ? <Waiting>Asking for the moments</Waiting> : null}
      {found === null ? null : <NoBoard found={found} />}
    </>
  )
}

/** A board that needs no server, with the file that its pictures are of. */
interface OwnBoard {
  readonly here: FileHere
  readonly made: DeviceBoard
  readonly video: PreviewVideo
  readonly keysMs: readonly number[]
}

/** The file where this device can read it, and the board of the edit by it where there is one. */
function useFileHere(request: TaskRequest, footage: PreviewFootage | null) {
  const video = footage?.kind === 'video' ? footage.video : null
  const file = useOpenedVideo(video)
  const keysMs = useKeyTimes(video?.uploadId ?? null)
  // As it is when the dialog opens: what is found of the video later changes no open board.
  const [made, setMade] = useState<DeviceBoard | 'none' | null>(null)
  if (made === null && video !== null && keysMs !== null)
    setMade(deviceBoard(request, video.source, keysMs) ?? 'none')
  const here: FileHere | null =
    video === null || file === null || file === 'opening' ? null : { file, source: video.source }
  const isMade = made !== null && made !== 'none'
  const own: OwnBoard | null =
    here === null || !isMade || video === null || keysMs === null
      ? null
      : { here, made, video, keysMs }
  const isOpening = file === 'opening' || (file !== null && made === null)
  return { here, isOpening: isOpening && made !== 'none', own }
}

/**
 * Evenly spaced moments at once, and those that this device finds in the video when it has: then,
 * unless something was changed meanwhile.
 */
function DeviceOwnBoard(props: BoardProps & OwnBoard & { readonly isOnItsWay: boolean }) {
  const { request, onOffer } = props
  const [{ here, made: even, video, keysMs, isOnItsWay }] = useState(props)
  const [hasChanged, setHasChanged] = useState(false)
  const [found, setFound] = useState<DeviceBoard | 'left' | null>(null)
  const finding = useFoundMoments(video, true)
  if (found === null && finding.kind === 'found')
    setFound(
      hasChanged
        ? 'left'
        : (deviceBoard(request, video.source, keysMs, finding.found.moments) ?? 'left'),
    )
  const made = found === null || found === 'left' ? even : found
  const address = useBlobUrl(here.file)
  const { durationMs, pictureStartMs = 0 } = here.source
  const stretches = [{ startMs: 0, endMs: durationMs, atMs: pictureStartMs }]
  const { order, nearMs } = made
  return (
    <OpenBoard
      request={request}
      footage={props.footage}
      onOffer={(offer) => {
        setHasChanged(offer !== 'none' && offer.hasChanged)
        onOffer(offer)
      }}
      board={made.board}
      begin={made.begin}
      tiles={NO_TILES}
      here={here}
      motion={address === null ? null : { url: address, stretches }}
      own={{ order, nearMs, isOnItsWay, finding, isShown: made === found }}
    />
  )
}

const NO_TILES = { address: null, pictures: null }

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
