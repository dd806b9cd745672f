import { expose } from 'comlink'
import { afterEach, expect, it } from 'vitest'
import { createMediaBridge } from '#src/bridge/media-bridge.ts'
import { err } from '#src/lib/result.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'

const MINUTE_MS = 60_000
const ports: MessagePort[] = []
afterEach(() => {
  for (const port of ports.splice(0)) port.close()
})

/** The far side of a real message channel, as a worker: says how often it was started and ended. */
function workers(isDeaf = false) {
  const seen = { started: 0, ended: 0 }
  const release: (() => void)[] = []
  const start = (): Worker => {
    seen.started += 1
    const { port1, port2 } = new MessageChannel()
    ports.push(port1, port2)
    const api = {
      probe: (_file: unknown, { id }: { readonly id: string }) =>
        new Promise((resolve) => {
          const answer = (): void => resolve(err({ code: 'probe/not-media' }))
          if (id === 'slow') release.push(answer)
          else answer()
        }),
    }
    if (!isDeaf) expose(api, port1)
    const worker: unknown = Object.assign(port2, {
      terminate: () => {
        seen.ended += 1
      },
    })
    return worker as Worker
  }
  return { seen, start, release }
}

it('ends a worker that has had nothing to do for a minute, and starts another when asked again', async () => {
  const [clock, { seen, start }] = [createFakeClock(), workers()]
  const media = createMediaBridge(clock, start)
  const file = new File(['x'], 'x.mp4')
  expect(await media.probe(file, { id: 'a' })).toEqual({
    ok: false,
    error: { code: 'probe/not-media' },
  })
  await clock.advance(MINUTE_MS - 1)
  expect(await media.probe(file, { id: 'b' })).toMatchObject({ ok: false })
  await clock.advance(MINUTE_MS - 1)
  expect(seen).toEqual({ started: 1, ended: 0 })
  await clock.advance(1)
  expect(seen).toEqual({ started: 1, ended: 1 })
  await media.probe(file, { id: 'c' })
  expect(seen).toEqual({ started: 2, ended: 1 })
})

it('does not end a worker that still works, until it hangs', async () => {
  const [clock, { seen, start, release }] = [createFakeClock(), workers()]
  const media = createMediaBridge(clock, start)
  const file = new File(['x'], 'x.mp4')
  const slow = media.probe(file, { id: 'slow' })
  await media.probe(file, { id: 'quick' })
  await clock.advance(MINUTE_MS)
  expect(seen.ended).toBe(0)
  await clock.advance(MINUTE_MS)
  expect(await slow).toEqual({ ok: false, error: { code: 'probe/timeout' } })
  expect({ ended: seen.ended, waiting: release.length }).toEqual({ ended: 1, waiting: 1 })
})

it('gives a worker up that does not answer any more, although it never ended', async () => {
  const [clock, { seen, start }] = [createFakeClock(), workers(true)]
  const asked = createMediaBridge(clock, start).probe(new File(['x'], 'x.mp4'), { id: 'stuck' })
  await clock.advance(5_000)
  expect(seen.ended).toBe(0)
  await clock.advance(5_000)
  expect(await asked).toEqual({ ok: false, error: { code: 'probe/timeout' } })
  expect(seen).toEqual({ started: 1, ended: 1 })
})
