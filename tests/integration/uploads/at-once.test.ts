import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, sendParts } from '#tests/setup/upload.ts'

let server: TestServer
beforeAll(async () => { server = await startTestServer() })
afterAll(async () => { await server.stop() })

it('UPL-10 more uploads than the database has connections complete at the same time', async () => {
  const { client } = await server.signUp()
  const connections = server.deps.db.$client.options.max
  expect(connections).toBeLessThan(20)
  const begun = await Promise.all(Array.from({ length: 20 }, async () => {
    const upload = await beginUpload(client, 100)
    return { id: upload._id, parts: await sendParts(client, upload, new Uint8Array(100)) }
  }))
  const signal = AbortSignal.timeout(15_000)
  const answers = await Promise.all(begun.map(({ id, parts }) => client.patch(`/v1/upload-requests/${id}`, { uploadRequest: { upload: { parts } } }, { signal })))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
})
