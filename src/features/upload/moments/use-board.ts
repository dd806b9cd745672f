import { useState } from 'react'
import { useUploadMoments, type MomentsPull } from '#src/hooks/moments/use-upload-moments.ts'
import { useBlobUrl } from '#src/hooks/previews/use-blob-url.ts'
import type { PreviewFootage } from '#src/hooks/previews/use-preview-video.ts'
import { useUploadByRequestId } from '#src/hooks/uploads/use-upload.ts'
import { isReceived } from '#src/local/db/upload-states.ts'
import { deviceBoard, type DeviceBoard } from '#src/local/edits/device-board.ts'
import { chosenMoments, momentBoard } from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'
import { useKeyTimes } from '#src/features/upload/first/use-excerpts.ts'
import type { FileHere, ShownBoard } from './OpenBoard.tsx'
import { useFoundMoments } from './use-found-moments.ts'
import { useMomentChoice, type MomentDraft } from './use-moment-choice.ts'
import { useOpenedVideo } from './use-opened-video.ts'

interface BoardOf {
  readonly request: TaskRequest
  /** Null before the server knows the video. */
  readonly uploadRequestId: string | null
  /** Null where no preview can be made. */
  readonly footage: PreviewFootage | null
}

/** The board of an edit, or what stands in its place. */
export type BoardState =
  | { readonly kind: 'open'; readonly shown: ShownBoard; readonly draft: MomentDraft }
  /** The file of this device is being opened. */
  | { readonly kind: 'opening' }
  /** The server is asked, failed, or has answered that there is nothing to choose from. */
  | { readonly kind: 'none'; readonly pull: MomentsPull['pull'] }

/**
 * The board by what the server has found in the video. Until it has, the board by the file of this
 * device, which then stays as it is: a search of the server that ends changes nothing under a
 * person's hands. Call it in a component that lives as long as the board is open.
 */
export function useBoard({ request, uploadRequestId, footage }: BoardOf): BoardState {
  const row = useUploadByRequestId(uploadRequestId)
  const isOnItsWay =
    uploadRequestId === null || (row !== undefined && row !== null && !isReceived(row.state.kind))
  const { here, isOpening, own } = useFileHere(request, footage)
  const isKnownHere = isOpening || own !== null
  // What has not arrived was not searched.
  const isAsked = row !== undefined && !(isOnItsWay && isKnownHere)
  const { pull, tiles } = useUploadMoments(isAsked ? uploadRequestId : null)
  const address = useBlobUrl(tiles)
  const found = pull.data
  const isSearched = found?.state === 'ready'
  const isAnswered = isOnItsWay || found !== null || pull.failure !== null
  const [kept, setKept] = useState<KeptBoard | null>(null)
  if (kept === null && own !== null && isAnswered && !isSearched) setKept({ ...own, isOnItsWay })
  const device = useDeviceBoard(request, kept)
  const made = kept === null && isSearched ? momentBoard(request, found) : null
  const served: ShownBoard | null =
    found === null || made === null
      ? null
      : { ...made, here, tiles: { address, pictures: found.pictures }, motion: found.video }
  const shown = device.shown ?? served
  const draft = useMomentChoice(shown, chosenMoments(request), newSeed)
  if (draft !== null) device.takeFound(draft)
  if (shown !== null && draft !== null) return { kind: 'open', shown, draft }
  return found === null && isKnownHere && (isOpening || isOnItsWay)
    ? { kind: 'opening' }
    : { kind: 'none', pull }
}

/** A board that needs no server, with the file that its pictures are of. */
interface OwnBoard {
  readonly here: FileHere
  readonly made: DeviceBoard
  readonly video: PreviewVideo
  readonly keysMs: readonly number[]
}

/** As it was when the board opened. */
interface KeptBoard extends OwnBoard {
  readonly isOnItsWay: boolean
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
 * unless something was changed meanwhile. `shown` is null without a board of the device.
 */
function useDeviceBoard(request: TaskRequest, kept: KeptBoard | null) {
  const [better, setBetter] = useState<DeviceBoard | 'left' | null>(null)
  const finding = useFoundMoments(kept?.video ?? null, true)
  const address = useBlobUrl(kept?.here.file ?? null)
  return {
    shown: kept === null ? null : shownOf(kept, better, finding, address),
    /** Decides once, when the search has ended, whether what it found takes the board's place. */
    takeFound: ({ hasChanged }: MomentDraft): void => {
      if (kept === null || better !== null || finding.kind !== 'found') return
      const { video, keysMs } = kept
      const found = hasChanged
        ? null
        : deviceBoard(request, video.source, keysMs, finding.found.moments)
      setBetter(found ?? 'left')
    },
  }
}

function shownOf(
  { here, made: even, isOnItsWay }: KeptBoard,
  better: DeviceBoard | 'left' | null,
  finding: ReturnType<typeof useFoundMoments>,
  address: string | null,
): ShownBoard {
  const isShown = better !== null && better !== 'left'
  const { board, begin, order, nearMs } = isShown ? better : even
  const { durationMs, pictureStartMs = 0 } = here.source
  const stretches = [{ startMs: 0, endMs: durationMs, atMs: pictureStartMs }]
  return {
    board,
    begin,
    tiles: NO_TILES,
    here,
    motion: address === null ? null : { url: address, stretches },
    own: { order, nearMs, isOnItsWay, finding, isShown },
  }
}

const NO_TILES = { address: null, pictures: null }

function newSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
}
