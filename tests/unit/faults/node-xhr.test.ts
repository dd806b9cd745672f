import { createHash } from 'node:crypto'
import { afterAll, beforeAll, vi } from 'vitest'
import { NodeXhr } from '#tests/faults/node-xhr.ts'
import { startPartStorage } from '#tests/setup/part-storage.ts'
import { describePartTransport } from '#tests/suites/part-transport.ts'
import { createXhrTransport } from '#src/local/uploads/adapters/xhr-transport.ts'

const TEXT = 'the bytes of a part '.repeat(20_000)
const SHA256 = createHash('sha256').update(TEXT).digest('base64')

beforeAll(() => vi.stubGlobal('XMLHttpRequest', NodeXhr))
afterAll(() => vi.unstubAllGlobals())

describePartTransport('XMLHttpRequest of Node', async () => {
  const storage = await startPartStorage()
  let count = 0
  return {
    transport: createXhrTransport({ origin: storage.origin, nowEpochMs: () => 0 }),
    partBytes: TEXT.length,
    newPart: async () => {
      count += 1
      return { url: `/parts/${count}?signature=s`, body: new Blob([TEXT]), sha256: SHA256 }
    },
    treat: storage.treat,
    reached: storage.reached,
    isStored: async (url) => storage.has(url),
    holds: async (url) => storage.held(url),
    settle: (work) => work,
    close: storage.close,
  }
})
