import type { MediaApi } from '#src/local/probe/api.ts'
import type { PreviewFailure, PreviewOutput, PreviewVideo } from './preview.ts'
import type { PreviewItem } from './preview-script.ts'
import type { Ids } from '#src/lib/ids.ts'
import { createSource } from '#src/lib/subscribable.ts'

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
  readonly edit: { readonly slug: string; readonly payload: unknown }
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
  const states = createSource<ReadonlyMap<string, PreviewState>>(new Map())
  let wanted: readonly PreviewItem[] = []
  let current: { readonly itemId: string; readonly jobId: string } | null = null
  let isClosed = false

  const set = (changes: Iterable<readonly [string, PreviewState]>): void => {
    states.become(new Map([...states.current(), ...changes]))
  }
  const isMissing = ({ id }: PreviewItem): boolean => {
    const state = states.current().get(id)
    return state === undefined || state.kind === 'waiting' || state.kind === 'working'
  }
  const stop = (): void => {
    if (current === null) return
    media.cancel(current.jobId)
    const { itemId } = current
    current = null
    set([[itemId, { kind: 'waiting' }]])
  }
  const next = (): void => {
    const item = wanted.find(isMissing)
    if (isClosed || item === undefined || current !== null) return
    const job = { itemId: item.id, jobId: ids.uuid() }
    current = job
    set([[item.id, { kind: 'working', share: null }]])
    void make(item, job).then((state) => {
      // Called off meanwhile: somebody else's turn.
      if (current !== job) return
      current = null
      // What stopped this one stops the others as well.
      set(
        state.kind === 'failed'
          ? wanted.filter(isMissing).map((each) => [each.id, state])
          : [[item.id, state]],
      )
      next()
    })
  }
  const make = async (
    item: PreviewItem,
    job: NonNullable<typeof current>,
  ): Promise<PreviewState> => {
    const opened = await video.open()
    if (!opened.ok) return { kind: 'failed', failure: opened.error }
    if (current !== job) return { kind: 'waiting' }
    const made = await media.preview(
      opened.value,
      { ...edit, source: video.source, window: item.window },
      { id: job.jobId },
      (share) => {
        if (current === job) set([[item.id, { kind: 'working', share }]])
      },
    )
    return made.ok
      ? { kind: 'ready', outputs: made.value }
      : { kind: 'failed', failure: made.error }
  }

  return {
    states: states.current,
    subscribe: states.subscribe,
    want: (items) => {
      wanted = items
      if (current !== null && wanted.find(isMissing)?.id !== current.itemId) stop()
      const fresh = wanted.filter(({ id }) => !states.current().has(id))
      if (fresh.length > 0) set(fresh.map(({ id }) => [id, { kind: 'waiting' }]))
      next()
    },
    retry: () => {
      set(
        [...states.current()].flatMap(([id, state]) =>
          state.kind === 'failed' ? [[id, { kind: 'waiting' }] as const] : [],
        ),
      )
      next()
    },
    close: () => {
      isClosed = true
      stop()
    },
  }
}
