/**
 * A page with the app's media bridge and its peers, driven by tests/bench/probe.ts. Times are round
 * trips from the page.
 */
import { wrap, type Remote } from 'comlink'
import type { MediainfoPeer } from './mediainfo.worker.ts'
import type { MemfsPeer } from './memfs.worker.ts'
import type { Parts } from './parts.worker.ts'
import { createMediaBridge } from '#src/bridge/media-bridge.ts'
import type { Result } from '#src/lib/result.ts'
import { createClock } from '#src/lib/time.ts'

/** `ms` null: it failed, and `said` why. */
export interface Timed {
  readonly ms: number | null
  readonly said: string
}

const media = createMediaBridge(createClock())
let mediainfo: Remote<MediainfoPeer> | null = null
let memfs: Remote<MemfsPeer> | null = null
let parts: Remote<Parts> | null = null
const startMediainfo = (): Remote<MediainfoPeer> =>
  (mediainfo ??= wrap<MediainfoPeer>(
    new Worker(new URL('./mediainfo.worker.ts', import.meta.url), { type: 'module' }),
  ))
const startMemfs = (): Remote<MemfsPeer> =>
  (memfs ??= wrap<MemfsPeer>(
    new Worker(new URL('./memfs.worker.ts', import.meta.url), { type: 'module' }),
  ))
const startParts = (): Remote<Parts> =>
  (parts ??= wrap<Parts>(
    new Worker(new URL('./parts.worker.ts', import.meta.url), { type: 'module' }),
  ))

function chosen(): File {
  const file = document.querySelector<HTMLInputElement>('#file')?.files?.[0]
  if (file === undefined) throw new Error('no file chosen')
  return file
}

async function timed(work: () => Promise<unknown>): Promise<Timed> {
  const startedAt = performance.now()
  try {
    const said = await work()
    return { ms: performance.now() - startedAt, said: JSON.stringify(said) ?? '' }
  } catch (thrown) {
    return {
      ms: null,
      said: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown),
    }
  }
}

/** Unlike the app, counts failures as failures, and reports only the number of pictures. */
async function value<T>(result: Promise<Result<T, { readonly code: string }>>): Promise<T> {
  const settled = await result
  if (!settled.ok) throw new Error(settled.error.code)
  return settled.value
}

const bench = {
  probe: () => timed(() => value(media.probe(chosen(), { id: 'probe' }))),
  fallback: () => timed(() => startParts().fallback(chosen())),
  deep: () => timed(() => startParts().deep(chosen())),
  mediainfo: () => timed(() => startMediainfo().probe(chosen())),
  memfs: () => timed(() => startMemfs().probe(chosen())),
  poster: () =>
    timed(async () => (await value(media.poster(chosen(), { id: 'poster', width: 640 }))).size),
  strip: () =>
    timed(
      async () =>
        (
          await value(
            media.filmstrip(chosen(), { id: 'strip', count: 10, width: 160 }, () => undefined),
          )
        ).length,
    ),
  render: (args: readonly string[], output: string) =>
    timed(() => startParts().render(chosen(), args, output)),
  start: (isCold: boolean) => startParts().start(isCold),
  release: () => media.release(),
  /**
   * Begins work, calls it off after `afterMs`, and gives the milliseconds until it answered.
   * `queued`: behind another deep check.
   */
  cancel: async (
    kind: 'probe' | 'poster' | 'deep-check' | 'queued',
    afterMs: number,
  ): Promise<Timed> => {
    const file = chosen()
    const look = (id: string) =>
      media.deepCheck(file, { id, count: 10, width: 160 }, () => undefined)
    const first = kind === 'queued' ? look('ahead') : null
    const work =
      kind === 'probe'
        ? media.probe(file, { id: 'off' })
        : kind === 'poster'
          ? media.poster(file, { id: 'off', width: 640 })
          : look('off')
    await new Promise((resolve) => {
      setTimeout(resolve, afterMs)
    })
    const calledOffAt = performance.now()
    media.cancel('off')
    const result = await work
    const ms = performance.now() - calledOffAt
    media.cancel('ahead')
    await first
    return { ms, said: result.ok ? 'it was done before' : result.error.code }
  },
}
export type ProbeBench = typeof bench

declare global {
  interface Window {
    probeBench: ProbeBench
  }
}
window.probeBench = bench
