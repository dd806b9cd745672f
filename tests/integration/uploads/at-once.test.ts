import { statfs } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { patience } from '#tests/setup/patience.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, sendParts, uploadBytes } from '#tests/setup/upload.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { ONECUT_ACCOUNT_STORAGE_GB: '1' } })
})
afterAll(async () => {
  await server.stop()
})

it('UPL-10 more uploads than the database has connections complete at the same time', async () => {
  const { client } = await server.signUp()
  const connections = server.deps.db.$client.options.max
  expect(connections).toBeLessThan(20)
  const begun = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const upload = await beginUpload(client, 100)
      return { id: upload._id, parts: await sendParts(client, upload, new Uint8Array(100)) }
    }),
  )
  const signal = AbortSignal.timeout(patience(15))
  const answers = await Promise.all(
    begun.map(({ id, parts }) =>
      client.patch(
        `/v1/upload-requests/${id}`,
        { uploadRequest: { upload: { parts } } },
        { signal },
      ),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
})

it('UPL-08 TRU-02 the files of one account are bounded together, complete or not, also when they begin at once; others are not touched', async () => {
  const { client } = await server.signUp()
  const quarter = 1e9 / 4
  await uploadBytes(client, new Uint8Array(1000))
  const answers = await Promise.allSettled(
    Array.from({ length: 4 }, () => beginUpload(client, quarter)),
  )
  const [refused] = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [String(answer.reason)] : [],
  )
  expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(3)
  expect(refused).toMatch(/422.*may take up to 1 GB here.*uploads\/account-full/)
  expect((await beginUpload((await server.signUp()).client, quarter)).state).toBe('open')
  const [first] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  expect((await client.delete(`/v1/upload-requests/${first?._id}`)).status).toBe(204)
  expect((await beginUpload(client, quarter)).state).toBe('open')
})

it('TRU-02 five uploads without a byte keep no other account from beginning one', async () => {
  const { deps, stop, signUp } = await startTestServer()
  try {
    const { bavail, bsize } = await statfs(deps.settings.dataDir)
    const freeBytes = bavail * bsize
    // Five fit into the limits of one account, also where the disk meanwhile gets less free room,
    // and one file may have as much.
    const ninth = Math.min(Math.floor(freeBytes / 9), 35 * 1024 ** 3)
    const { client } = await signUp()
    for (let n = 0; n < 5; n += 1) await beginUpload(client, ninth)
    await expect(beginUpload(client, Math.floor(1.3 * ninth))).rejects.toThrow(
      /uploads\/account-full/,
    )
    const half = Math.min(Math.floor(freeBytes / 2), 50 * 1024 ** 3)
    expect((await beginUpload((await signUp()).client, half)).state).toBe('open')
  } finally {
    await stop()
  }
})
