import { useEffect, useEffectEvent, useState } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'

/** Pictures of a video that this device makes, by their milliseconds into it. */
export interface BoardPictures {
  readonly pictures: ReadonlyMap<number, Blob>
  /** Some are still to come. */
  readonly isMaking: boolean
}

export interface PicturedVideo {
  readonly file: File
  readonly durationMs: number
  /** How much earlier than its time a picture may be. */
  readonly nearMs: number
}

/** Pixels; sharp in a tile at twice the density of a phone. */
const WIDTH = 256
/** So few at once, so that a preview that is asked for meanwhile waits for no more. */
const AT_ONCE = 4

/**
 * Makes the pictures in the order in which they are wanted, and shows each as it comes. After some
 * of which none could be made it makes no more. Null makes nothing.
 */
export function useBoardPictures(
  video: PicturedVideo | null,
  wantedMs: readonly number[],
): BoardPictures {
  const { media } = useUploadsContext()
  const { ids } = useLocal()
  const [pictures, setPictures] = useState<ReadonlyMap<number, Blob>>(new Map())
  const [tried, setTried] = useState<ReadonlySet<number>>(new Set())
  const [hasFailed, setHasFailed] = useState(false)
  const [batch, setBatch] = useState<readonly number[]>([])
  const isOver = video === null || hasFailed
  const left = isOver ? [] : [...new Set(wantedMs)].filter((each) => !tried.has(each))
  if (batch.length === 0 && left.length > 0) setBatch(left.slice(0, AT_ONCE))
  const make = useEffectEvent(async (signal: AbortSignal) => {
    if (video === null) return
    const id = ids.uuid()
    signal.addEventListener('abort', () => media.cancel(id), { once: true })
    const { file, durationMs, nearMs } = video
    const shares = batch.map((each) => each / durationMs)
    const made = await media.pictures(
      file,
      { id, width: WIDTH, shares, exactly: { durationMs, nearMs } },
      (index, picture) => {
        const at = batch[index]
        if (!signal.aborted && at !== undefined)
          setPictures((before) => new Map([...before, [at, picture]]))
      },
    )
    if (signal.aborted) return
    setHasFailed(!made.ok)
    setTried((before) => new Set([...before, ...batch]))
    setBatch([])
  })
  useEffect(() => {
    if (batch.length === 0) return undefined
    const over = new AbortController()
    void make(over.signal)
    return () => over.abort()
  }, [batch])
  return { pictures, isMaking: left.length > 0 }
}
