import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFakeFile } from '#tests/fakes/upload-bytes.ts'
import type { Fault } from '#tests/fakes/upload-server.ts'
import { createUploadWorld, type FakeTab } from '#tests/fakes/upload-world.ts'
import { runs } from '#tests/seeds.ts'

const PART = 1_000
const HOUR = 3_600_000

type Step =
  | { readonly kind: 'run'; readonly forMs: number }
  | {
      readonly kind:
        | 'crash'
        | 'open'
        | 'pause'
        | 'resume'
        | 'retry'
        | 'sleep'
        | 'api-down'
        | 'api-up'
        | 'disk-full'
        | 'disk-free'
        | 'lose-part'
        | 'sign-out'
        | 'sign-in'
    }

const fault: fc.Arbitrary<Fault | null> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  fc.constantFrom<Fault>(
    { kind: 'reset', afterShare: 0 },
    { kind: 'reset', afterShare: 0.6 },
    { kind: 'answer-lost' },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 503, retryAfterMs: 3_000 },
    { kind: 'status', status: 400, errorCode: 'RequestTimeout' },
    { kind: 'html' },
    { kind: 'status', status: 507 },
    { kind: 'status', status: 413 },
    { kind: 'foreign', status: 403 },
    { kind: 'foreign', status: 404 },
    { kind: 'foreign', status: 501 },
    { kind: 'foreign', status: 502 },
    { kind: 'foreign', status: 507 },
    { kind: 'no-etag' },
    { kind: 'bit-flip' },
    { kind: 'black-hole' },
    { kind: 'hole', bufferBytes: 0 },
    { kind: 'hole', bufferBytes: 300 },
  ),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 4_000 }).map((forMs): Step => ({ kind: 'run', forMs })),
  },
  fc
    .constantFrom<Step['kind']>(
      'crash',
      'open',
      'pause',
      'resume',
      'retry',
      'sleep',
      'api-down',
      'api-up',
      'disk-full',
      'disk-free',
      'lose-part',
      'sign-out',
      'sign-in',
    )
    .map((kind): Step => (kind === 'run' ? { kind, forMs: 1 } : { kind })),
)

describe('an upload under any faults', () => {
  it('UPL-07 ends with exactly the bytes of the file, whatever happens and wherever it crashes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12_500 }),
        fc.boolean(),
        fc.constantFrom(PART, 2 * PART, null),
        fc.array(fault, { maxLength: 20 }),
        fc.array(step, { maxLength: 25 }),
        async (sizeBytes, isHeld, usualPartBytes, faults, steps) => {
          const world = createUploadWorld(PART)
          world.usualPartBytes = usualPartBytes
          const file = createFakeFile('scene.mp4', sizeBytes)
          let puts = 0
          world.server.faultOf = () => faults[puts++] ?? null
          const { id } = world.addDraft(file)
          world.kept.set(id, file)
          const tabs: FakeTab[] = [await world.openTab()]
          // Chosen in this tab, or found by it on the device.
          if (isHeld) tabs[0]?.hold(id, file)
          void tabs[0]?.commands.start(id, null)
          await world.clock.run(50)
          let lastSafe = 0
          // Parts that the server lost. The bar goes back once for each, when the server tells.
          let losses = 0
          const check = (): void => {
            const { safeBytes } = world.row(id)
            if (safeBytes < lastSafe) {
              expect(losses).toBeGreaterThan(0)
              losses -= 1
            }
            expect(safeBytes).toBeLessThanOrEqual(sizeBytes)
            lastSafe = safeBytes
          }
          for (const next of steps) {
            const tab = tabs[0]
            switch (next.kind) {
              case 'run':
                await world.clock.run(next.forMs)
                break
              case 'crash':
                tabs.shift()?.crash()
                break
              case 'open':
                tabs.push(await world.openTab())
                break
              case 'pause':
                void tab?.commands.pause(id)
                break
              case 'resume':
                void tab?.commands.resume(id)
                break
              case 'retry':
                void tab?.commands.retryNow(id)
                break
              case 'sleep':
                world.clock.jump(HOUR)
                break
              case 'api-down':
                world.server.apiProblem = { kind: 'silent' }
                break
              case 'api-up':
                world.server.apiProblem = null
                break
              case 'sign-out':
                world.server.apiProblem = { kind: 'signed-out' }
                break
              case 'sign-in':
                world.server.apiProblem = null
                void tab?.commands.signedIn()
                break
              case 'disk-full':
                world.disk.isFull = true
                break
              case 'disk-free':
                world.disk.isFull = false
                break
              case 'lose-part':
                world.server.losePart('server-1', 1)
                losses += 1
                break
            }
            await world.clock.run(1)
            check()
          }
          // The faults end, and a person helps.
          world.server.apiProblem = null
          world.disk.isFull = false
          faults.length = 0
          if (tabs.length === 0) tabs.push(await world.openTab())
          for (let help = 0; help < 6 && world.row(id).state.kind !== 'done'; help += 1) {
            void tabs[0]?.commands.resume(id)
            void tabs[0]?.commands.signedIn()
            void tabs[0]?.commands.start(id, null)
            await world.clock.run(HOUR, () => world.row(id).state.kind === 'done')
            check()
          }
          expect(world.row(id).state.kind).toBe('done')
          expect(world.server.content('server-1')).toEqual(file.bytes)
          expect(world.server.ledger).toMatchObject({ creates: 1, completes: 1, aborts: 0 })
          expect(world.server.ledger.maxConcurrentPuts).toBeLessThanOrEqual(5)
          for (const tab of tabs) tab.crash()
        },
      ),
      { numRuns: runs(200) },
    )
  })
})
