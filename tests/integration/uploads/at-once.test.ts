import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, sendParts } from '#tests/setup/upload.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { ONECUT_ACCOUNT_UPLOAD_GB: '1' } })
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
  const signal = AbortSignal.timeout(15_000)
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

it('UPL-08 the unfinished uploads of one account are bounded together, also when they begin at once; others are not touched', async () => {
  const { client } = await server.signUp()
  const third = 1024 ** 3 / 3
  const answers = await Promise.allSettled(
    Array.from({ length: 4 }, () => beginUpload(client, Math.floor(third))),
  )
  const [refused] = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [String(answer.reason)] : [],
  )
  expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(3)
  expect(refused).toMatch(/422.*uploads\/account-full.*|422.*may use up to 1 GB in total/)
  expect((await beginUpload((await server.signUp()).client, Math.floor(third))).state).toBe('open')
  const [first] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  expect((await client.delete(`/v1/upload-requests/${first?._id}`)).status).toBe(204)
  expect((await beginUpload(client, Math.floor(third))).state).toBe('open')
})
