import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ensureBackupFolder } from '#server/backup/folder.ts'
import { examineBackups, noteBackups, noteVerified } from '#server/backup/known.ts'

const NOW = new Date('2026-11-30T12:00:00Z')
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000)
let root: string
let dataDir: string
let backups: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'onecut-known-'))
  ;[dataDir, backups] = [join(root, 'data'), join(root, 'backups')]
  await mkdir(dataDir)
})
afterEach(async () => await rm(root, { recursive: true, force: true }))

/** What `npm run backup` leaves, as far as it is looked at. */
async function backedUp(takenAt: Date, faults: readonly string[] = []): Promise<void> {
  const folder = await ensureBackupFolder(backups, dataDir)
  const path = folder.backupOf(takenAt.toISOString().replaceAll(':', '-'))
  await mkdir(path, { recursive: true })
  const files = { count: 0, sizeBytes: 0, sha256: '' }
  const facts = { format: 1, migration: { tag: '0000', when: 1 }, tables: [], sequences: [], files }
  await writeFile(join(path, 'backup.json'), JSON.stringify({ ...facts, takenAt, faults }))
  await noteBackups(dataDir, backups)
}
const found = async (): Promise<string[]> =>
  (await examineBackups(dataDir, NOW)).map(({ isRight, text }) => `${isRight ? '+' : '-'} ${text}`)

it('SCL-09 the doctor says that no backup of a data folder was made', async () => {
  expect(await found()).toEqual([
    '- No backup of this data folder was made: npm run backup -- FOLDER makes one.',
  ])
})

it('SCL-09 the doctor says how old the newest backup is, and when all were read', async () => {
  await backedUp(hoursAgo(100))
  await backedUp(hoursAgo(5))
  await noteVerified(backups, hoursAgo(12 * 24), true)
  expect(await found()).toEqual([
    `+ The newest backup is 5 hours old, in "${backups}".`,
    '+ The backups were verified 12 days ago, and were whole.',
  ])
})

it('SCL-09 the doctor names backups that are old, not whole, not verified or damaged', async () => {
  await backedUp(hoursAgo(72), ['uploads/1 is not there'])
  expect(await found()).toEqual([
    `- The newest backup is 3 days old, in "${backups}". Make one each night.`,
    '- 1 of what rows name is not in the newest backup as it should be.',
    expect.stringMatching(/^- The backups were never verified: /),
  ])
  await noteVerified(backups, hoursAgo(50 * 24), true)
  expect((await found()).at(-1)).toMatch(/^- The backups were last verified 50 days ago: /)
  await noteVerified(backups, hoursAgo(1), false)
  expect((await found()).at(-1)).toMatch(/^- The verification of 1 hour ago found damaged /)
})

it('SCL-09 the doctor says that backups are on a disk that is not there', async () => {
  await backedUp(hoursAgo(5))
  await rm(backups, { recursive: true })
  expect(await found()).toEqual([
    expect.stringMatching(/^- The backups of this data folder cannot be read now\. There is no /),
  ])
})
