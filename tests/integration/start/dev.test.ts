import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, it } from 'vitest'
import { freePort } from '#tests/setup/free-port.ts'
import { fillWithReadyData } from '#tests/setup/ready-data.ts'
import { PROGRAM_ENV } from '#tests/setup/server-programs.ts'

let dev: ChildProcess | null = null
let dataDir = ''
afterEach(async () => {
  if (dev?.exitCode === null) {
    dev.kill('SIGTERM')
    await once(dev, 'exit')
  }
  await rm(dataDir, { recursive: true, force: true })
})

it('serves the page by Vite, passes calls on to the server, and restarts it after a change', async () => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  dataDir = await mkdtemp(join(tmpdir(), 'onecut-dev-'))
  // Its PostgreSQL may run as another user, who passes through.
  await chmod(dataDir, 0o711)
  await fillWithReadyData(dataDir)
  dev = spawn(process.execPath, ['scripts/dev.ts'], {
    env: { ...process.env, ...PROGRAM_ENV, PORT: String(port), ONECUT_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: dev.stdout! })[Symbol.asyncIterator]()

  expect((await lines.next()).value).toBe(`Onecut is ready at ${origin}`)
  const page = await fetch(`${origin}/edits`, { headers: { accept: 'text/html' } })
  expect(await page.text()).toContain('/@vite/client')
  expect((await fetch(`${origin}/editors/api/v1/capabilities`)).status).toBe(200)
  const mailbox = String((await lines.next()).value).replace(/^Local mailbox: /, '')
  expect(new URL(mailbox).origin).toBe(origin)
  expect((await fetch(`${mailbox}&format=json`)).status).toBe(200)

  // The contract is no module, so only a watcher of files can see it change.
  await utimes('openapi/openapi.yaml', new Date(), new Date())
  expect((await lines.next()).value).toBe(`Onecut is ready at ${origin}`)
  expect((await lines.next()).value).toBe(`Local mailbox: ${mailbox}`)
  expect((await fetch(`${origin}/editors/api/v1/capabilities`)).status).toBe(200)

  const ended = once(dev, 'exit')
  dev.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  // Vite reads all of the page's packages, and the server starts twice.
})
