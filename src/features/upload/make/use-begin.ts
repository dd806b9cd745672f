import { useEffect, useEffectEvent, useState } from 'react'
import { refusalWords } from '#src/components/made/make-words.ts'
import {
  useFoundMoments,
  type MomentSearch,
} from '#src/features/upload/moments/use-found-moments.ts'
import { useKeepAttestation } from '#src/hooks/edits/use-media-job.ts'
import { useMaker } from '#src/hooks/edits/use-made-edits.ts'
import { useKnownMoments } from '#src/hooks/moments/use-upload-moments.ts'
import { chosenMoments, takesMoments } from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'
import type { Makes, MakeSubject } from './use-makes.ts'

/** Which edit is about to be made, of which video. */
interface Wished {
  readonly makes: Makes
  readonly video: PreviewVideo
  readonly wish: Extract<MakeSubject, { kind: 'wish' }>
}

/** How the making of an edit begins, and by which moments. */
export interface Begin {
  /** Null where the edit takes none. */
  readonly moments: 'chosen' | 'of-server' | MomentSearch | null
  /** It begins by itself when the search of this device ends. */
  readonly isWaiting: boolean
  readonly isStarting: boolean
  readonly refusal: string | null
  /** @param mayWait for the search that is under way */
  start(isAttestedNow: boolean, mayWait: boolean): void
}

/**
 * Begins to make an edit with the moments that were chosen, else those that the server is known to
 * have found, else those that this device finds, else evenly spaced ones.
 * @param isPossible whether this device can make it at all
 */
export function useBegin(wished: Wished, request: TaskRequest, isPossible: boolean): Begin {
  const { makes, video } = wished
  const isChosen = chosenMoments(request) !== null
  const takesThem = takesMoments(request.mediaJobTaskPresetSlug)
  const server = useKnownMoments(makes.upload.uploadRequestId)
  const isAsked = takesThem && !isChosen && server === null && isPossible
  const finding = useFoundMoments(video, isAsked)
  const { begin, refusal, isStarting } = useStart(wished)
  // Null while nothing waits.
  const [waiting, setWaiting] = useState<{ readonly isAttestedNow: boolean } | null>(null)
  const start = (isAttestedNow: boolean) => {
    setWaiting(null)
    void begin(request, server, isAttestedNow)
  }
  const goOn = useEffectEvent(() => start(waiting?.isAttestedNow === true))
  const isOver = waiting !== null && finding.kind !== 'looking'
  useEffect(() => {
    if (isOver) goOn()
  }, [isOver])
  const found = server === null ? finding : 'of-server'
  return {
    moments: takesThem ? (isChosen ? 'chosen' : found) : null,
    isWaiting: waiting !== null,
    isStarting,
    refusal,
    start: (isAttestedNow, mayWait) =>
      mayWait && isAsked && finding.kind === 'looking'
        ? setWaiting({ isAttestedNow })
        : start(isAttestedNow),
  }
}

/** Begins to make the edit, and shows it, or says why not. */
function useStart({ makes, video, wish }: Wished) {
  const maker = useMaker()
  const keepAttestation = useKeepAttestation()
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isStarting, setIsStarting] = useState(false)
  const begin = async (
    request: TaskRequest,
    moments: ReturnType<typeof useKnownMoments>,
    isAttestedNow: boolean,
  ) => {
    setIsStarting(true)
    setRefusal(null)
    const { mediaJobTaskPresetSlug: slug, payload } = request
    if (isAttestedNow) await keepAttestation(makes.upload.id)
    const begun = await maker.start({
      slug,
      payload,
      video,
      videoName: makes.upload.file.name,
      editName: wish.name,
      againId: wish.againId,
      ...(moments === null ? {} : { moments }),
    })
    setIsStarting(false)
    if (begun.ok) makes.setSubject({ kind: 'made', id: begun.value, name: wish.name })
    else setRefusal(refusalWords(begun.error))
  }
  return { begin, refusal, isStarting }
}
