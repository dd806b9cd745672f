import { useEffect, useEffectEvent, useState } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import type { MakeRung } from '#src/local/made/make.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'

/**
 * What this device can do with edits of a video, asked of the media worker one after the other:
 * null while it is not known of a request. Null for `video` asks nothing.
 */
export function useMakeRungs(
  video: PreviewVideo | null,
  requests: readonly TaskRequest[],
): (request: TaskRequest) => MakeRung | null {
  const { media } = useUploadsContext()
  const { ids } = useLocal()
  const [known, setKnown] = useState<ReadonlyMap<string, MakeRung>>(NOTHING)
  const keyOf = (request: TaskRequest) =>
    video === null ? '' : `${video.uploadId} ${JSON.stringify([video.source.tracks, request])}`
  const missing = requests.filter((request) => !known.has(keyOf(request)))
  const ask = useEffectEvent(async (signal: AbortSignal) => {
    const opened = await video?.open()
    if (video === null || opened?.ok !== true) return
    for (const request of missing) {
      if (signal.aborted) return
      const id = ids.uuid()
      const over = (): void => media.cancel(id)
      signal.addEventListener('abort', over, { once: true })
      const { mediaJobTaskPresetSlug: slug, payload } = request
      const wish = { slug, payload, source: video.source, moments: [] }
      const rung = await media.canMake(opened.value, wish, { id })
      signal.removeEventListener('abort', over)
      if (!signal.aborted) setKnown((now) => new Map([...now, [keyOf(request), rung]]))
    }
  })
  const key = video === null ? null : requests.map(keyOf).join('\n')
  useEffect(() => {
    if (key === null) return undefined
    const left = new AbortController()
    // Without an answer nothing is offered here; the server makes the edit.
    void ask(left.signal).catch(() => undefined)
    return () => left.abort()
  }, [key])
  return (request) => known.get(keyOf(request)) ?? null
}

const NOTHING: ReadonlyMap<string, MakeRung> = new Map()
