import { expect, it } from 'vitest'
import type { PreviewFailure, PreviewOutput, PreviewVideo } from '#src/local/previews/preview.ts'
import { createPreviewRunner } from '#src/local/previews/preview-runner.ts'
import type { PreviewItem } from '#src/local/previews/preview-script.ts'
import { err, ok, type Result } from '#src/lib/result.ts'

const item = (id: string): PreviewItem => ({
  id,
  kind: 'video',
  files: [],
  window: { startMs: Number(id) * 1_000, durationMs: 3_000 },
})
const output: PreviewOutput = { name: 'x.mp4', kind: 'video', blob: new Blob(['x']) }
const file = new File(['x'], 'x.mp4')

/** A runner over a media worker whose jobs end when told to. */
function world(open: PreviewVideo['open'] = async () => ok(file)) {
  const begun: number[] = []
  const cancelled: string[] = []
  const jobs = new Map<number, (made: Result<readonly PreviewOutput[], PreviewFailure>) => void>()
  const shares = new Map<number, (share: number) => void>()
  let ids = 0
  const runner = createPreviewRunner({
    ids: { uuid: () => `job-${(ids += 1)}` },
    media: {
      preview: (_file, { window }, _options, onShare) =>
        new Promise((resolve) => {
          begun.push(window.startMs)
          shares.set(window.startMs, onShare)
          jobs.set(window.startMs, resolve)
        }),
      cancel: (id) => {
        cancelled.push(id)
      },
    },
    video: {
      uploadId: 'upload',
      source: {
        durationMs: 60_000,
        width: 640,
        height: 360,
        frameRate: 25,
        hasAudio: true,
        videoCodec: 'h264',
        audioCodec: 'aac',
        audioChannels: 2,
        isHdr: false,
        fileName: 'x.mp4',
      },
      open,
    },
    edit: { slug: 'teaser-15s', payload: undefined },
  })
  const settle = async (
    startMs: number,
    made: Result<readonly PreviewOutput[], PreviewFailure>,
  ): Promise<void> => {
    jobs.get(startMs)?.(made)
    await turns()
  }
  const kinds = (): Readonly<Record<string, string>> =>
    Object.fromEntries(Array.from(runner.states(), ([id, { kind }]) => [id, kind]))
  return { runner, begun, cancelled, shares, settle, kinds }
}

/** Lets everything that is ready go on. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}

it('makes what is wanted one after the other, in order, and says how far it is', async () => {
  const { runner, begun, shares, settle, kinds } = world()
  runner.want([item('1'), item('2')])
  await turns()
  expect(begun).toEqual([1_000])
  expect(kinds()).toEqual({ 1: 'working', 2: 'waiting' })
  shares.get(1_000)?.(0.4)
  expect(runner.states().get('1')).toEqual({ kind: 'working', share: 0.4 })
  await settle(1_000, ok([output]))
  expect(begun).toEqual([1_000, 2_000])
  await settle(2_000, ok([output]))
  expect(kinds()).toEqual({ 1: 'ready', 2: 'ready' })
})

it('calls off what is not wanted any more, and keeps what was made', async () => {
  const { runner, begun, cancelled, settle, kinds } = world()
  runner.want([item('1')])
  await turns()
  await settle(1_000, ok([output]))
  runner.want([item('2')])
  await turns()
  runner.want([item('3')])
  await turns()
  expect(cancelled).toEqual(['job-2'])
  await settle(2_000, err({ code: 'probe/cancelled' }))
  await settle(3_000, ok([output]))
  runner.want([item('1')])
  await turns()
  expect(begun).toEqual([1_000, 2_000, 3_000])
  expect(kinds()).toEqual({ 1: 'ready', 2: 'waiting', 3: 'ready' })
})

it('fails the others with the first that fails, and tries again when asked', async () => {
  const { runner, begun, settle, kinds } = world()
  runner.want([item('1'), item('2')])
  await turns()
  await settle(1_000, err({ code: 'probe/engine-unavailable' }))
  expect(kinds()).toEqual({ 1: 'failed', 2: 'failed' })
  expect(begun).toEqual([1_000])
  runner.retry()
  await turns()
  await settle(1_000, ok([output]))
  expect(begun).toEqual([1_000, 1_000, 2_000])
})

it('begins nothing without bytes, and says why', async () => {
  const { runner, begun } = world(async () => err({ code: 'preview/no-file' }))
  runner.want([item('1')])
  await turns()
  expect(begun).toEqual([])
  expect(runner.states().get('1')).toEqual({ kind: 'failed', failure: { code: 'preview/no-file' } })
})

it('calls everything off when it is closed, and begins nothing after', async () => {
  const { runner, begun, cancelled, settle } = world()
  runner.want([item('1'), item('2')])
  await turns()
  runner.close()
  expect(cancelled).toEqual(['job-1'])
  await settle(1_000, err({ code: 'probe/cancelled' }))
  runner.want([item('2')])
  await turns()
  expect(begun).toEqual([1_000])
})
