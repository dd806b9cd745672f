import { useQuery } from '@tanstack/react-query'
import { useAtomValue, useSetAtom } from 'jotai'
import { findingSharesAtom } from './finding-atoms.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { useLive } from '#src/hooks/sync/use-live.ts'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'
import { err, type Result } from '#src/lib/result.ts'
import { keepFoundMoments, readFoundMoments, type FoundVideo } from '#src/local/db/found-moments.ts'
import type { FindFailure, FoundMoments } from '#src/local/edits/found-moments.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'

/** How far the search of a video is that this device makes of its file. */
export type MomentSearch =
  /** It was not asked for, and nothing was found before. */
  | { readonly kind: 'none' }
  /** `share` is 0 to 1. */
  | { readonly kind: 'looking'; readonly share: number }
  | { readonly kind: 'found'; readonly found: FoundMoments }
  | { readonly kind: 'cannot'; readonly why: FindFailure['code'] }

/**
 * What this device finds in a video, or found before: searched once, as long as what asks for it
 * is shown, and kept with the upload.
 * @param isAsked false only reads what was found before; then nothing is decoded
 */
export function useFoundMoments(video: PreviewVideo | null, isAsked: boolean): MomentSearch {
  const account = useAccount()
  const find = useFind()
  const id = video?.uploadId ?? null
  const of = [account?.userId ?? null, id, video?.source.durationMs, video?.source.tracks?.picture]
  const db = account?.db ?? null
  const before = useFoundBefore(video)
  const search = useQuery({
    queryKey: ['find-moments', ...of],
    enabled: isAsked && db !== null && video !== null && before === null,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      if (db === null || video === null) return NOT_HERE
      const made = await find(video, signal)
      if (made.ok) await keepFoundMoments(db, video, made.value)
      return made
    },
  })
  const share = useAtomValue(findingSharesAtom).get(id ?? '') ?? 0
  const known = before ?? (search.data?.ok === true ? search.data.value : null)
  if (known !== null) return { kind: 'found', found: known }
  if (search.data?.ok === false) return { kind: 'cannot', why: search.data.error.code }
  return isAsked && db !== null && video !== null && !search.isError
    ? { kind: 'looking', share }
    : { kind: 'none' }
}

/** What was found in a video before; null for nothing, undefined while that is read. */
export function useFoundBefore(video: FoundVideo | null): FoundMoments | null | undefined {
  const { uploadId = '', source = null } = video ?? {}
  const key = `found-moments:${uploadId}:${JSON.stringify(source)}`
  const live = useLive(key, async (db) => (video === null ? null : readFoundMoments(db, video)))
  if (live.kind === 'loading') return undefined
  return live.kind === 'ready' ? live.value : null
}

const NOT_HERE: Result<FoundMoments, FindFailure> = err({ code: 'probe/gone' })

/** Searches a video until it is called off. On a phone only while the page is shown. */
function useFind() {
  const { media } = useUploadsContext()
  const { ids, ports } = useLocal()
  const setShares = useSetAtom(findingSharesAtom)
  return async (
    video: PreviewVideo,
    signal: AbortSignal,
  ): Promise<Result<FoundMoments, FindFailure>> => {
    const opened = await video.open()
    if (!opened.ok) return NOT_HERE
    const mayGoOn = (): boolean => ports.isVisible() || !isPhone()
    const onShare = (share: number): void =>
      setShares((now) => new Map([...now, [video.uploadId, share]]))
    for (;;) {
      await until(mayGoOn, ports.onAttention, signal)
      const id = ids.uuid()
      const stop = (): void => media.cancel(id)
      const forget = ports.onAttention(() => (mayGoOn() ? undefined : stop()))
      signal.addEventListener('abort', stop, { once: true })
      onShare(0)
      try {
        const made = await media.findMoments(opened.value, video.source, { id }, onShare)
        signal.throwIfAborted()
        // A page that was hidden begins again when it is shown.
        if (made.ok || made.error.code !== 'probe/cancelled' || mayGoOn()) return made
      } finally {
        forget()
        signal.removeEventListener('abort', stop)
      }
    }
  }
}

/** A page of a phone that is not seen takes battery and heat for nothing. */
function isPhone(): boolean {
  return window.matchMedia('(hover: none) and (pointer: coarse)').matches
}

function until(
  isSo: () => boolean,
  onAttention: (listener: () => void) => () => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      forget()
      signal.removeEventListener('abort', abort)
    }
    const look = (): void => {
      if (!isSo()) return
      end()
      resolve()
    }
    const abort = (): void => {
      end()
      reject(signal.reason)
    }
    const forget = onAttention(look)
    signal.addEventListener('abort', abort, { once: true })
    look()
  })
}
