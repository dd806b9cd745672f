import { createHash } from 'node:crypto'
import { fakeUploadRow } from '#tests/fakes/fake-rows.ts'
import { createFakeFile, fakeSource } from '#tests/fakes/upload-bytes.ts'
import { createSimulatedClock } from '#tests/fakes/upload-clock.ts'
import { createFakeUploadServer, type Fault } from '#tests/fakes/upload-server.ts'
import { startPartStorage } from '#tests/setup/part-storage.ts'
import { describePartTransport, type Treatment } from '#tests/suites/part-transport.ts'
import { createFetchTransport } from '#src/local/uploads/adapters/fetch-transport.ts'

const PART_BYTES = 3_000
const HOUR_MS = 3_600_000
const file = createFakeFile('scene.mp4', PART_BYTES)
const sha256 = createHash('sha256').update(file.bytes).digest('base64')
const FAULTS: Readonly<Record<Treatment, Fault | null>> = {
  stores: null,
  'hides-etag': { kind: 'no-etag' },
  portal: { kind: 'html' },
  floods: { kind: 'html' },
  breaks: { kind: 'reset', afterShare: 0.5 },
  hangs: { kind: 'black-hole' },
  'slow-down': { kind: 'status', status: 503, retryAfterMs: 7_000, errorCode: 'SlowDown' },
}

describePartTransport('fake', async () => {
  const clock = createSimulatedClock()
  const server = createFakeUploadServer(clock, PART_BYTES)
  let count = 0
  const settle = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false
    const over = (): void => {
      isOver = true
    }
    work.then(over, over)
    await clock.run(HOUR_MS, () => isOver)
    return work
  }
  return {
    transport: server.transport,
    partBytes: PART_BYTES,
    newPart: async () => {
      count += 1
      const row = fakeUploadRow({
        idempotencyKey: `key-${count}`,
        file: { name: file.name, sizeBytes: PART_BYTES, lastModifiedEpochMs: 0, type: 'video/mp4' },
      })
      const made = await settle(server.api.create(row, new AbortController().signal))
      const url = made.ok ? (made.value.parts[0]?.url ?? '') : ''
      return { url, body: fakeSource(file).slice(0, PART_BYTES), sha256 }
    },
    treat: (treatment) => {
      server.faultOf = () => FAULTS[treatment]
      server.offsetFault = treatment === 'portal' ? 200 : null
    },
    reached: async () => {
      await clock.run(HOUR_MS, () => server.ledger.concurrentPuts > 0)
    },
    isStored: async (url) => {
      const [, id = ''] = new URL(url).pathname.split('/')
      const found = await settle(server.api.read(id, new AbortController().signal))
      return found.ok && found.value.parts[0]?.storedBytes === PART_BYTES
    },
    holds: async (url) => {
      const [, id = ''] = new URL(url).pathname.split('/')
      const found = await settle(server.api.read(id, new AbortController().signal))
      return found.ok ? (found.value.parts[0]?.heldBytes ?? 0) : 0
    },
    settle,
    close: async () => undefined,
  }
})

describePartTransport('fetch', async () => {
  const storage = await startPartStorage()
  let count = 0
  return {
    transport: createFetchTransport({ origin: storage.origin, nowEpochMs: () => 0, fetch }),
    partBytes: PART_BYTES,
    newPart: async () => {
      count += 1
      return {
        url: `/parts/${count}?signature=s`,
        body: new Blob([file.bytes], { type: 'video/mp4' }),
        sha256,
      }
    },
    treat: storage.treat,
    reached: storage.reached,
    isStored: async (url) => storage.has(url),
    holds: async (url) => storage.held(url),
    settle: (work) => work,
    close: storage.close,
  }
})
