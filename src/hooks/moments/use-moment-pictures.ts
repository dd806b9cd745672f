import { useEffect, useEffectEvent, useState } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'

/** Pixels; sharp in a tile at twice the density. */
const WIDTH = 224
/**
 * Pictures that take longer, because ffmpeg has to make them, would only keep the previews waiting.
 */
const LIMIT_MS = 1_500

/**
 * Pictures of the video at these times, by their index, as they come; some or all may be missing.
 */
export function useMomentPictures(
  video: PreviewVideo,
  atMs: readonly number[],
): ReadonlyMap<number, Blob> {
  const { media } = useUploadsContext()
  const { clock, ids } = useLocal()
  const [pictures, setPictures] = useState<ReadonlyMap<number, Blob>>(new Map())
  const key = `${video.uploadId} ${atMs.join(' ')}`
  const make = useEffectEvent((signal: AbortSignal) => {
    const id = ids.uuid()
    const over = (): void => media.cancel(id)
    signal.addEventListener('abort', over, { once: true })
    void video.open().then(async (opened) => {
      if (!opened.ok || signal.aborted) return
      clock.sleep(LIMIT_MS, signal).then(over, () => undefined)
      await media.pictures(
        opened.value,
        { id, width: WIDTH, shares: atMs.map((each) => each / video.source.durationMs) },
        (index, picture) => {
          if (!signal.aborted) setPictures((made) => new Map([...made, [index, picture]]))
        },
      )
    })
  })
  useEffect(() => {
    const left = new AbortController()
    setPictures(new Map())
    make(left.signal)
    return () => left.abort()
  }, [key])
  return pictures
}
