import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { livingPostmaster } from '#server/db/embedded/stale-locks.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { beginUpload } from '#tests/setup/upload.ts'
import { killDatabase } from './crash-harness.ts'

let server: E2eServer
beforeAll(async () => {
  server = await startE2eServer()
})
afterAll(async () => {
  await server.dispose()
})

it('JOB-08 a server whose database is killed starts it again, keeps everything and goes on', async () => {
  const { client } = await signUpAt(server)
  const upload = await beginUpload(client, 1000)
  const pid = server.pid()
  await killDatabase(server)
  await expect
    .poll(async () => (await client.get(`/v1/upload-requests/${upload._id}`)).status, {
      timeout: 20_000,
      interval: 50,
    })
    .toBe(200)
  expect(server.pid()).toBe(pid)
  expect((await beginUpload(client, 2000)).state).toBe('open')
  // Mail goes through the queue, so that one works again too.
  await expect.poll(async () => (await signUpAt(server)).email, { timeout: 20_000 }).toMatch(/@/)
  expect(await server.stop()).toBe(0)
  expect(await livingPostmaster(join(server.dataDir, 'postgres'))).toBeNull()
})
