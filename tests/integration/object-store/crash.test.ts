import { urlOf } from '#tests/setup/part-url.ts'
import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createJournalPartLedger } from '#tests/fakes/part-ledger.ts'
import { lonePartLocks } from '#tests/fakes/part-locks.ts'
import { DISK_STORE_KEY } from '#tests/setup/disk-store-server.ts'
import { createDiskStore } from '#server/object-store/disk.ts'
import type { MultipartPlan } from '#server/object-store/port.ts'

const PART = 256 * 1024
const COUNT = 40

it('UPL-09 every part whose PUT was answered is there after the server is killed, with the right bytes', async () => {
  const root = await mkdtemp(join(tmpdir(), 'onecut-crash-'))
  const body = randomBytes(PART * COUNT)
  const uploadId = randomUUID()
  const plan: MultipartPlan = {
    uploadId,
    objectKey: `uploads/${uploadId}`,
    sizeBytes: body.length,
    partSizeBytes: PART,
    partCount: COUNT,
  }
  const openStore = () =>
    createDiskStore({
      root,
      key: DISK_STORE_KEY,
      floorBytes: 0,
      ledger: createJournalPartLedger(join(root, 'ledger.ndjson')),
      locks: lonePartLocks,
      clock: () => new Date(),
    })
  try {
    const store = openStore()
    await store.createMultipart(plan)
    const answered = new Map<number, string>()
    for (const killAfter of [5, 17, 29]) {
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, '../../fixtures/disk-store-process.ts'), root],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      const origin = await new Promise<string>((resolve) =>
        child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim())),
      )
      const gone = new Promise((resolve) => child.once('exit', resolve))
      const queue = Array.from({ length: COUNT }, (_, index) => index + 1)
      await Promise.all(
        Array.from({ length: 5 }, async () => {
          for (let n = queue.shift(); n !== undefined; n = queue.shift()) {
            const slice = body.subarray((n - 1) * PART, n * PART)
            answered.delete(n)
            const answer = await fetch(new URL(await urlOf(store, plan, n), origin), {
              method: 'PUT',
              body: new Uint8Array(slice),
            }).catch(() => null)
            if (answer?.status === 200) answered.set(n, answer.headers.get('etag') ?? '')
            if (n === killAfter) child.kill('SIGKILL')
          }
        }),
      )
      await gone
    }
    const stored = new Map(
      (await openStore().listParts(plan, null)).map((part) => [part.partNumber, part.eTag]),
    )
    const file = await readFile(join(root, 'multipart', uploadId))
    expect(answered.size).toBeGreaterThan(5)
    for (const [n, eTag] of answered) expect(`"${stored.get(n)}"`).toBe(eTag)
    for (const [n, eTag] of stored)
      expect(
        createHash('sha256')
          .update(file.subarray((n - 1) * PART, n * PART))
          .digest('hex'),
      ).toBe(eTag)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})
