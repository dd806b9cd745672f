import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'
import type { PreviewRequest, PreviewVideo } from '#src/local/previews/preview.ts'
import {
  createPreviewRunner,
  type PreviewRunner,
  type PreviewState,
} from '#src/local/previews/preview-runner.ts'
import type { PreviewItem } from '#src/local/previews/preview-script.ts'

/** Its moments are those of the video, which do not change. */
export type PreviewEdit = Pick<PreviewRequest, 'slug' | 'payload' | 'moments'>

export interface Previews {
  stateOf(itemId: string): PreviewState
  readonly retry: () => void
}

const WAITING = { kind: 'waiting' } as const
const NOTHING: ReadonlyMap<string, PreviewState> = new Map()
const notListening = (): (() => void) => () => undefined

/**
 * Makes previews of one edit in the given order, one at a time, and keeps them as long as the
 * component is shown. Leaving it, another edit, other options and items that are no longer asked
 * for end the work and the worker that does it.
 */
export function usePreviews(
  video: PreviewVideo,
  edit: PreviewEdit,
  items: readonly PreviewItem[],
): Previews {
  const { media } = useUploadsContext()
  const { ids } = useLocal()
  const [runner, setRunner] = useState<PreviewRunner | null>(null)
  const sound = video.source.tracks?.sound
  const key = JSON.stringify([video.uploadId, edit.slug, edit.payload, sound])
  const wanted = items.map(({ id }) => id).join(' ')
  // New functions at each render; the keys say when they mean something else.
  const create = useEffectEvent(() => createPreviewRunner({ media, ids, video, edit }))
  const want = useEffectEvent((of: PreviewRunner) => of.want(items))
  useEffect(() => {
    const made = create()
    setRunner(made)
    return made.close
  }, [key])
  useEffect(() => {
    if (runner !== null) want(runner)
  }, [runner, wanted])
  const states = useSyncExternalStore(
    runner?.subscribe ?? notListening,
    runner?.states ?? (() => NOTHING),
  )
  return { stateOf: (itemId) => states.get(itemId) ?? WAITING, retry: () => runner?.retry() }
}
