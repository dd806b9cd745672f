import { useState } from 'react'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { usePresentOutage } from '#src/hooks/network/use-outage.ts'

/** The video itself, beside the strips, which go by the ids of their tracks. */
export const VIDEO = 'video'

/** What of the faces can be seen: the video, and a strip of pictures for each face. */
export interface ReviewPictures {
  /** How often everything was tried; what failed at a try before is loaded again. */
  readonly tries: number
  readonly tryAgain: () => void
  /** Takes down what became of the video or of a strip. */
  readonly tell: (part: string, isShown: boolean) => void
  /** The pictures of this face have loaded. */
  readonly isLoaded: (trackId: string) => boolean
  /** Takes down that all of a face's pictures were in the window. */
  readonly tellSeen: (trackId: string) => void
  /**
   * Whose pictures were in the window since the screen was opened; whether anyone looked is not
   * known.
   */
  readonly seenIds: ReadonlySet<string>
  /** The last try of this part failed, and none has begun since. */
  readonly hasFailed: (part: string) => boolean
  /** The video cannot be shown; stays so until it has loaded. */
  readonly isVideoMissing: boolean
  /** Neither the video nor any strip can be shown. */
  readonly isBlind: boolean
}

interface End {
  readonly isShown: boolean
  readonly atTry: number
}

/**
 * Follows what of the faces can be seen, and loads again what failed when the connection is back:
 * a browser does not by itself.
 */
export function useReviewPictures(): ReviewPictures {
  const [ends, setEnds] = useState<ReadonlyMap<string, End>>(new Map())
  const [seenIds, setSeenIds] = useState<ReadonlySet<string>>(new Set())
  const [tries, setTries] = useState(0)
  const isOnline = useOnline()
  const isConnected = usePresentOutage() === null && isOnline
  const [wasConnected, setWasConnected] = useState(isConnected)
  if (wasConnected !== isConnected) {
    setWasConnected(isConnected)
    if (isConnected) setTries(tries + 1)
  }
  const isVideoMissing = ends.get(VIDEO)?.isShown === false
  return {
    tries,
    tryAgain: () => setTries((before) => before + 1),
    tell: (part, isShown) =>
      setEnds((before) => new Map(before).set(part, { isShown, atTry: tries })),
    isLoaded: (trackId) => ends.get(trackId)?.isShown === true,
    tellSeen: (trackId) => setSeenIds((before) => new Set(before).add(trackId)),
    seenIds,
    hasFailed: (part) => {
      const end = ends.get(part)
      return end !== undefined && !end.isShown && end.atTry === tries
    },
    isVideoMissing,
    isBlind: isVideoMissing && ![...ends.values()].some(({ isShown }) => isShown),
  }
}
