import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readWhole } from '#server/backup/kept-files.ts'
import { readNamedFiles, readOpenUploads } from '#server/backup/named-files.ts'
import { launchPostgres } from '#server/db/embedded/launch.ts'
import { withOwnClient } from '#server/db/own-client.ts'
import { placesOf } from '#server/object-store/disk.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { patience } from '#tests/setup/patience.ts'
import { beginUpload, sendParts, uploadBytes } from '#tests/setup/upload.ts'

let server: E2eServer
let work: string
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'onecut-backups-'))
  server = await startE2eServer({ ONECUT_PART_SIZE_BYTES: '5242880' })
}, patience(120))
afterAll(async () => {
  await server?.dispose()
  await rm(work, { recursive: true, force: true })
})

const ROUNDS = 6
const PART_BYTES = 5_242_880
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Runs a command as `npm run` does; `stop` kills it. */
function run(command: 'backup' | 'restore', dataDir: string) {
  const script = join(projectRoot, `scripts/${command}.ts`)
  const child = spawn(process.execPath, [script, join(work, 'backups')], {
    env: { ...process.env, ONECUT_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const ended = once(child, 'exit') as Promise<[number | null]>
  return {
    stop: () => child.kill('SIGKILL'),
    end: async () => ({ code: (await ended)[0], said: (await said).join('') }),
  }
}

const filesIn = async (): Promise<number> =>
  (await readdir(join(work, 'backups/files'), { recursive: true }).catch(() => [])).length

it('SCL-09 backups under load, of which every other one is killed, hold every file that their rows name, byte by byte', async () => {
  const sums = new Map<string, string>()
  let goesOn = true
  const load = async (): Promise<void> => {
    let [{ client }, open] = [await signUpAt(server), [] as string[]]
    for (let turn = 1; goesOn; turn += 1) {
      // An account begins a hundred uploads an hour.
      if (turn % 90 === 0) [{ client }, open] = [await signUpAt(server), []]
      const bytes = randomBytes(turn % 3 === 0 ? PART_BYTES + 5000 : 20_000)
      if (turn % 4 === 3) {
        // A few stay on their way, and the oldest of them is given up.
        const upload = await beginUpload(client, bytes.length)
        const [first] = upload.upload.parts
        if (first !== undefined)
          await sendParts(
            client,
            { ...upload, upload: { ...upload.upload, parts: [first] } },
            bytes,
          )
        open.push(upload._id)
        if (open.length > 4) await client.delete(`/v1/upload-requests/${open.shift()}`)
      } else {
        const { _id } = await uploadBytes(client, bytes)
        sums.set(`uploads/${_id}`, sha256(bytes))
        if (turn % 5 === 0) await client.delete(`/v1/upload-requests/${_id}`)
      }
    }
  }
  const loads = Promise.all([load(), load()])
  loads.catch(() => undefined)
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await filesIn()
    const backup = run('backup', server.dataDir)
    if (round % 2 === 1) {
      expect(await backup.end()).toMatchObject({ code: 0 })
      continue
    }
    const isCopying = async (): Promise<boolean> => (await filesIn()) > before
    await expect.poll(isCopying, { timeout: patience(60), interval: 5 }).toBe(true)
    backup.stop()
    await backup.end()
  }
  goesOn = false
  await loads
  await server.kill()

  const dataDir = join(work, 'restored')
  expect(await run('restore', dataDir).end()).toMatchObject({ code: 0 })
  const places = placesOf(join(dataDir, 'store'))
  const postgres = await launchPostgres(dataDir)
  const { signal } = new AbortController()
  let compared = 0
  await withOwnClient(postgres.connection, async (db) => {
    for (const { key } of await readNamedFiles(db)) {
      const { sha256: found } = await readWhole({ path: places.objectOf(key) }, { signal })
      if (!sums.has(key)) continue
      expect([key, found]).toEqual([key, sums.get(key)])
      compared += 1
    }
    for (const { id, partSizeBytes, parts } of await readOpenUploads(db))
      for (const { partNumber, sizeBytes, eTag } of parts) {
        const offset = (partNumber - 1) * partSizeBytes
        const part = await readWhole({ path: places.fileOf(id), offset, sizeBytes }, { signal })
        expect(part.sha256).toBe(eTag)
        compared += 1
      }
  })
  await postgres.stop()
  expect(compared).toBeGreaterThan(ROUNDS)
}, 1_800_000)
