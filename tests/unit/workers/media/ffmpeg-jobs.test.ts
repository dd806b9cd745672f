import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FIRST_TRACKS } from '#checks/tracks.ts'
import { patience } from '#tests/setup/patience.ts'
import { createFfmpegJobs, type FfmpegRequest } from '#workers/media/ffmpeg-jobs.ts'
import type { FfmpegJob, FfmpegNews } from '#workers/media/ffmpeg-messages.ts'
import type { FfmpegWorker } from '#workers/media/run-in-worker.ts'

/** An empty module: the smallest that compiles. */
const WASM = new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))
const file = new File(['x'], 'clip.avi')
const nothing = (): void => undefined

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('self', { location: { href: 'https://onecut.example/' } })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

class FakeWorker implements FfmpegWorker {
  jobs: FfmpegJob[] = []
  isEnded = false
  say: (news: FfmpegNews) => void = nothing
  die: () => void = nothing
  begin(job: FfmpegJob, onNews: (news: FfmpegNews) => void, onDeath: () => void): void {
    this.jobs.push(job)
    this.say = onNews
    this.die = onDeath
  }
  end(): void {
    this.isEnded = true
  }
}

/** Jobs on workers that do nothing by themselves, in the order they were started. */
function start(compile: () => Promise<WebAssembly.Module> = async () => WASM) {
  const workers: FakeWorker[] = []
  const jobs = createFfmpegJobs({
    compile,
    startWorker: () => {
      const worker = new FakeWorker()
      workers.push(worker)
      return worker
    },
  })
  const nth = async (count: number): Promise<FakeWorker> => {
    await vi.waitFor(() => expect(workers.length).toBeGreaterThanOrEqual(count), {
      timeout: patience(30),
    })
    const worker = workers[count - 1]
    if (worker === undefined) throw new Error('no such worker')
    return worker
  }
  return { jobs, workers, nth }
}

function request(overrides: Partial<FfmpegRequest> = {}): FfmpegRequest {
  return {
    file,
    task: { kind: 'probe' },
    limitMs: 1_000,
    signal: new AbortController().signal,
    ...overrides,
  }
}

it('gives each job a worker of its own, one at a time, and ends it', async () => {
  const { jobs, workers, nth } = start()
  const told: FfmpegNews[] = []
  const [first, second] = [
    jobs.run(request(), (news) => told.push(news)),
    jobs.run(request(), nothing),
  ]
  const worker = await nth(1)
  expect(worker.jobs).toMatchObject([{ extension: 'avi', task: { kind: 'probe' } }])
  worker.say({ kind: 'started' })
  worker.say({ kind: 'probed', json: '{}' })
  expect(workers).toHaveLength(1)
  worker.say({ kind: 'done' })
  expect(await first).toEqual({ ok: true, value: undefined })
  expect(told).toEqual([{ kind: 'probed', json: '{}' }])
  ;(await nth(2)).say({ kind: 'failed', name: 'NotFoundError' })
  expect(await second).toEqual({ ok: false, error: { code: 'probe/gone' } })
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true])
})

it('answers that the engine crashed when its worker dies by itself', async () => {
  const { jobs, nth } = start()
  const result = jobs.run(request(), nothing)
  ;(await nth(1)).die()
  expect(await result).toEqual({ ok: false, error: { code: 'probe/engine-crashed' } })
})

it('ends a job at its limit, which begins when the engine is ready', async () => {
  const { jobs, nth } = start()
  const result = jobs.run(request({ limitMs: 1_000 }), nothing)
  const worker = await nth(1)
  await vi.advanceTimersByTimeAsync(15_000)
  worker.say({ kind: 'started' })
  await vi.advanceTimersByTimeAsync(999)
  expect(worker.isEnded).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await result).toEqual({ ok: false, error: { code: 'probe/timeout' } })
  expect(worker.isEnded).toBe(true)
})

it('ends a worker whose engine never gets ready', async () => {
  const { jobs, nth } = start()
  const result = jobs.run(request(), nothing)
  const worker = await nth(1)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await result).toEqual({ ok: false, error: { code: 'probe/timeout' } })
  expect(worker.isEnded).toBe(true)
})

it('answers a cancel at once: running, waiting in the queue, waiting for the engine, and before it began', async () => {
  const cancelled = { ok: false, error: { code: 'probe/cancelled' } }
  const { jobs, workers, nth } = start()
  const [running, waiting] = [new AbortController(), new AbortController()]
  const results = [
    jobs.run(request({ signal: running.signal }), nothing),
    jobs.run(request({ signal: waiting.signal }), nothing),
  ]
  await nth(1)
  waiting.abort()
  expect(await results[1]).toEqual(cancelled)
  running.abort()
  expect(await results[0]).toEqual(cancelled)
  expect(await jobs.run(request({ signal: AbortSignal.abort() }), nothing)).toEqual(cancelled)
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true])

  const slow = start(() => new Promise(nothing))
  const loading = new AbortController()
  const result = slow.jobs.run(request({ signal: loading.signal }), nothing)
  await vi.advanceTimersByTimeAsync(10)
  loading.abort()
  expect(await result).toEqual(cancelled)
  expect(slow.workers).toEqual([])
})

it('lets a verdict push out what runs when idle, and repeats that afterwards', async () => {
  const { jobs, workers, nth } = start()
  const strip = jobs
    .at('pictures')
    .run(
      request({ task: { kind: 'pictures', atSeconds: [1], width: 160, tracks: FIRST_TRACKS } }),
      nothing,
    )
  const preview = jobs.at('preview').run(request(), nothing)
  const laterStrip = jobs.at('pictures').run(request(), nothing)
  await nth(1)
  const verdict = jobs.at('verdict').run(request(), nothing)
  const urgent = await nth(2)
  expect(workers[0]?.isEnded).toBe(true)
  expect(urgent.jobs).toMatchObject([{ task: { kind: 'probe' } }])
  urgent.say({ kind: 'done' })
  expect(await verdict).toMatchObject({ ok: true })
  const again = await nth(3)
  expect(again.jobs).toMatchObject([{ task: { kind: 'pictures' } }])
  again.say({ kind: 'done' })
  expect(await strip).toMatchObject({ ok: true })
  ;(await nth(4)).say({ kind: 'done' })
  expect(await laterStrip).toMatchObject({ ok: true })
  ;(await nth(5)).say({ kind: 'done' })
  expect(await preview).toMatchObject({ ok: true })
})

it('lets one verdict wait for another', async () => {
  const { jobs, workers, nth } = start()
  const results = [
    jobs.at('verdict').run(request(), nothing),
    jobs.at('verdict').run(request(), nothing),
  ]
  ;(await nth(1)).say({ kind: 'done' })
  expect(await results[0]).toMatchObject({ ok: true })
  expect(workers[0]?.isEnded).toBe(true)
  ;(await nth(2)).say({ kind: 'done' })
  expect(await results[1]).toMatchObject({ ok: true })
})

it('says that the engine cannot be had, and asks for it again the next time', async () => {
  let asked = 0
  const { jobs, nth } = start(async () => {
    asked += 1
    if (asked === 1) throw new TypeError('Failed to fetch')
    return WASM
  })
  expect(await jobs.run(request(), nothing)).toEqual({
    ok: false,
    error: { code: 'probe/engine-unavailable' },
  })
  const again = jobs.run(request(), nothing)
  ;(await nth(1)).say({ kind: 'done' })
  expect(await again).toMatchObject({ ok: true })
  const third = jobs.run(request(), nothing)
  ;(await nth(2)).say({ kind: 'done' })
  expect([await third, asked]).toMatchObject([{ ok: true }, 2])
})
