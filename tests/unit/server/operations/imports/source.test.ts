import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { parseImportHosts } from '#server/net/import-hosts.ts'
import { createOutgoing } from '#server/net/outgoing.ts'
import { readPiece, type Source } from '#server/operations/processing/imports/source.ts'
import { linkedFile, startLinkHost, type LinkHost } from '#tests/fakes/link-host.ts'

const BYTES = 600_000
const SILENCE_MS = 45_000
const body = Uint8Array.from({ length: BYTES }, (_, index) => index % 251)
let host: LinkHost

beforeAll(async () => {
  host = await startLinkHost()
  host.files.set('/a.mp4', linkedFile(body))
})
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())
afterAll(async () => await host.stop())

const sourceOf = (onBytes: (bytes: number) => void): Source => ({
  file: {
    open: async (asked) =>
      await createOutgoing(parseImportHosts(`share.example:${host.port}`) ?? [], host.reach).open({
        ...asked,
        link: `${host.origin}/a.mp4`,
      }),
  },
  nowMs: () => 0,
  sizeBytes: BYTES,
  validator: '"v1"',
  signal: new AbortController().signal,
  onBytes,
})
/** Fetches the file; `came` counts the bytes that are here. */
const fetching = () => {
  const seen = { came: 0 }
  const chunks: Buffer[] = []
  const source = sourceOf((bytes) => (seen.came += bytes))
  const all = async (): Promise<Buffer> => {
    for await (const chunk of readPiece(source, { start: 0, end: BYTES - 1 })) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  return { seen, done: all() }
}
const until = async (isSo: () => boolean): Promise<void> => {
  // Timers of the test itself stand still.
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

it('UPL-09 leaves a connection that says nothing for 45 s, and asks for the rest', async () => {
  host.asked.length = 0
  host.troubles.push({ kind: 'hold', afterBytes: 300_000 })
  const { seen, done } = fetching()
  await until(() => seen.came === 300_000)
  await vi.advanceTimersByTimeAsync(SILENCE_MS - 1)
  expect(host.asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect((await done).equals(body)).toBe(true)
  expect(host.asked).toEqual([`bytes=0-${BYTES - 1}`, `bytes=300000-${BYTES - 1}`])
})

it('UPL-09 does not count a few bytes a minute as an answer, and lets such a host rest', async () => {
  host.troubles.push(
    { kind: 'hold', afterBytes: 100 },
    { kind: 'hold', afterBytes: 100 },
    { kind: 'hold', afterBytes: 100 },
  )
  const { seen, done } = fetching()
  const ended = expect(done).rejects.toMatchObject({ name: 'ImportFault', kind: 'away' })
  for (let connection = 1; connection <= 3; connection += 1) {
    await until(() => seen.came === connection * 100)
    await vi.advanceTimersByTimeAsync(SILENCE_MS)
  }
  await ended
})
