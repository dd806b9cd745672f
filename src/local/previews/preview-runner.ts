import type { MediaApi } from '#src/local/probe/api.ts'
import type { PreviewFailure, PreviewOutput, PreviewRequest, PreviewVideo } from './preview.ts'
import type { PreviewItem } from './preview-script.ts'
import type { Ids } from '#src/lib/ids.ts'
import { createSettable } from '#src/lib/subscribable.ts'

/** Where one item of a preview stands. `share` is null until something was made. */
export type PreviewState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'working'; readonly share: number | null }
  | { readonly kind: 'ready'; readonly outputs: readonly PreviewOutput[] }
  | { readonly kind: 'failed'; readonly failure: PreviewFailure }

export interface PreviewRunnerDeps {
  readonly media: Pick<MediaApi, 'preview'> & { cancel(id: string): unknown }
  readonly ids: Pick<Ids, 'uuid'>
  readonly video: PreviewVideo
  readonly edit: Pick<PreviewRequest, 'slug' | 'payload' | 'moments'>
}

/**
 * Makes the items of one edit's preview, one at a time, and keeps what is made until it is closed.
 */
export interface PreviewRunner {
  /**
   * By item id; the same object until something changes. Items that were never wanted are absent.
   */
  states(): ReadonlyMap<string, PreviewState>
  subscribe(listener: () => void): () => void
  /**
   * Makes these, in this order, and nothing else: what is being made is called off unless it is the
   * first of them that is missing.
   */
  want(items: readonly PreviewItem[]): void
  /** Forgets failures and goes on. */
  retry(): void
  /** Calls everything off. Final. */
  close(): void
}

export function createPreviewRunner({ media, ids, video, edit }: PreviewRunnerDeps): PreviewRunner {
  const states = createItemStates()
  const { set, isMissing } = states
  let wanted: readonly PreviewItem[] = []
  let current: { readonly itemId: string; readonly jobId: string } | null = null
  let isClosed = false

  const stop = (): void => {
    if (current === null) return
    media.cancel(current.jobId)
    const { itemId } = current
    current = null
    set([waiting({ id: itemId })])
  }
  const next = (): void => {
    const item = wanted.find(isMissing)
    if (isClosed || item === undefined || current !== null) return
    const job = { itemId: item.id, jobId: ids.uuid() }
    current = job
    set([[item.id, { kind: 'working', share: null }]])
    const isCurrent = (): boolean => current === job
    const onShare = (share: number): void => {
      if (isCurrent()) set([[item.id, { kind: 'working', share }]])
    }
    void makeItem({ media, video, edit }, item, { id: job.jobId, isCurrent, onShare }).then(
      (state) => {
        // Cancelled meanwhile, so another item may be in work.
        if (!isCurrent()) return
        current = null
        // What stopped this one stops the others as well.
        set(
          state.kind === 'failed'
            ? wanted.filter(isMissing).map((each) => [each.id, state])
            : [[item.id, state]],
        )
        next()
      },
    )
  }
  return {
    states: states.current,
    subscribe: states.subscribe,
    want: (items) => {
      wanted = items
      if (current !== null && wanted.find(isMissing)?.id !== current.itemId) stop()
      set(wanted.filter(({ id }) => !states.current().has(id)).map(waiting))
      next()
    },
    retry: () => {
      const failed = [...states.current()].filter(([, state]) => state.kind === 'failed')
      set(failed.map(([id]) => waiting({ id })))
      next()
    },
    close: () => {
      isClosed = true
      stop()
    },
  }
}

type Change = readonly [string, PreviewState]

const waiting = ({ id }: Pick<PreviewItem, 'id'>): Change => [id, { kind: 'waiting' }]

/** The states of the items, announced once for each set of changes. */
function createItemStates() {
  const { current, subscribe, become } = createSettable<ReadonlyMap<string, PreviewState>>(
    new Map(),
  )
  return {
    current,
    subscribe,
    set: (changes: readonly Change[]): void => {
      if (changes.length > 0) become(new Map([...current(), ...changes]))
    },
    isMissing: ({ id }: PreviewItem): boolean => {
      const state = current().get(id)
      return state === undefined || state.kind === 'waiting' || state.kind === 'working'
    },
  }
}

interface ItemJob {
  readonly id: string
  readonly isCurrent: () => boolean
  readonly onShare: (share: number) => void
}

/** Opens the video and makes one item. A job that is cancelled meanwhile is `waiting` again. */
async function makeItem(
  { media, video, edit }: Omit<PreviewRunnerDeps, 'ids'>,
  item: PreviewItem,
  { id, isCurrent, onShare }: ItemJob,
): Promise<PreviewState> {
  const opened = await video.open()
  if (!opened.ok) return { kind: 'failed', failure: opened.error }
  if (!isCurrent()) return { kind: 'waiting' }
  const request = { ...edit, source: video.source, window: item.window, secret: randomSecret() }
  const made = await media.preview(opened.value, request, { id }, onShare)
  return made.ok ? { kind: 'ready', outputs: made.value } : { kind: 'failed', failure: made.error }
}

function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
