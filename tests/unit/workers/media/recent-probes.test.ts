import { expect, it } from 'vitest'
import { createRecentProbes } from '#workers/media/recent-probes.ts'
import { err, ok } from '#src/lib/result.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'

const calm = new AbortController().signal
const report: ProbeReport = {
  engine: 'mediabunny',
  container: 'MP4',
  mimeType: null,
  sizeBytes: 1,
  durationMs: 1_000,
  video: null,
  audio: null,
  videoTrackCount: 1,
  audioTrackCount: 0,
  findings: [],
  tookMs: 1,
}
const fileOf = (name: string): File => new File(['x'], name, { lastModified: 1 })

it('knows the verdict of a file again, although the file came as another object', async () => {
  const recent = createRecentProbes()
  await recent.keep(fileOf('a.mp4'), Promise.resolve(ok(report)))
  expect(await recent.of(fileOf('a.mp4'), calm)).toEqual({ ok: true, value: report })
  expect(await recent.of(fileOf('b.mp4'), calm)).toBeNull()
  expect(await recent.of(new File(['x'], 'a.mp4', { lastModified: 2 }), calm)).toBeNull()
})

it('waits for a verdict that is under way, until the abort', async () => {
  const recent = createRecentProbes()
  const probing = Promise.withResolvers<ReturnType<typeof ok<ProbeReport>>>()
  void recent.keep(fileOf('a.avi'), probing.promise)
  const called = new AbortController()
  const [waited, calledOff] = [
    recent.of(fileOf('a.avi'), calm),
    recent.of(fileOf('a.avi'), called.signal),
  ]
  called.abort()
  await expect(calledOff).rejects.toMatchObject({ name: 'AbortError' })
  probing.resolve(ok(report))
  expect(await waited).toEqual({ ok: true, value: report })
})

it('says nothing of one that failed, and forgets old ones', async () => {
  const recent = createRecentProbes()
  await recent.keep(fileOf('off.avi'), Promise.resolve(err({ code: 'probe/cancelled' })))
  expect(await recent.of(fileOf('off.avi'), calm)).toBeNull()
  for (const name of ['1.mp4', '2.mp4', '3.mp4', '4.mp4', '5.mp4'])
    await recent.keep(fileOf(name), Promise.resolve(ok(report)))
  expect(await recent.of(fileOf('1.mp4'), calm)).toBeNull()
  expect(await recent.of(fileOf('2.mp4'), calm)).not.toBeNull()
})
