/**
 * `npm run backup -- FOLDER`: writes a backup of this installation, its database and its files,
 * beside those that FOLDER has, while its server runs or not. Ends with 0 when all that its rows
 * name is in it, with 1 when something is missing or damaged, and with 2 when there is no new
 * backup. With `--verify` it reads all backups of FOLDER and compares them with their checksums.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { backUp, type BackupResult, type BackupSource } from '#server/backup/back-up.ts'
import { ensureBackupFolder, openBackupFolder } from '#server/backup/folder.ts'
import { noteBackups, noteVerified } from '#server/backup/known.ts'
import { refuseHalfRestored } from '#server/backup/restore-mark.ts'
import { verifyBackup } from '#server/backup/verify.ts'
import { bytesText } from '#server/backup/words.ts'
import { launchPostgres } from '#server/db/embedded/launch.ts'
import { readSettings, type Settings } from '#server/env.ts'
import { StartError } from '#server/start-error.ts'
import { asUsage, runCommand, showProgress, type Outcome } from './backup-command.ts'

const USAGE = 'npm run backup -- FOLDER [--keep 7], or npm run backup -- FOLDER --verify'

await runCommand(async (signal) => {
  const { path, keep, isVerified } = readArgs()
  if (isVerified) return await verifyAll(path, signal)
  const settings = readSettings(process.env)
  refuseElsewhere(settings)
  refuseHalfRestored(settings.dataDir)
  if (!existsSync(join(settings.dataDir, 'postgres', 'PG_VERSION')))
    throw new StartError(
      `There is no installation in "${settings.dataDir}": set ONECUT_DATA_DIR as the server has it.`,
    )
  const folder = await ensureBackupFolder(path, settings.dataDir)
  const postgres = await launchPostgres(settings.dataDir)
  try {
    const source: BackupSource = { ...settings, connection: postgres.connection }
    const report = showProgress('copied')
    const clock = (): Date => new Date()
    const result = await backUp(source, folder, { clock, keep, signal, report })
    await noteBackups(settings.dataDir, path)
    return { lines: linesOf(result, path), isWhole: result.faults.length === 0 }
  } finally {
    await postgres.stop()
  }
})

/** Reads all backups of a folder. */
async function verifyAll(path: string, signal: AbortSignal): Promise<Outcome> {
  const folder = await openBackupFolder(path)
  const names = await folder.names()
  if (names.length === 0) throw new StartError(`There is no whole backup in "${path}".`)
  const lines: string[] = []
  let isWhole = true
  for (const name of names) {
    const report = showProgress(`of ${name} read`)
    const { count, sizeBytes, faults } = await verifyBackup(folder, name, { signal, report })
    if (faults.length > 0) isWhole = false
    lines.push(...faults.map((fault) => `WRONG  ${name}: ${fault}`))
    const verdict = faults.length === 0 ? 'whole' : 'not whole, see above'
    lines.push(`${name}: ${count} files of ${bytesText(sizeBytes)}, ${verdict}.`)
  }
  await noteVerified(path, new Date(), isWhole)
  return { lines, isWhole }
}

function readArgs(): {
  readonly path: string
  readonly keep: number
  readonly isVerified: boolean
} {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        keep: { type: 'string', default: '7' },
        verify: { type: 'boolean', default: false },
      },
    })
    const [path, ...more] = positionals
    if (path === undefined || more.length > 0) throw new StartError(`Usage: ${USAGE}`)
    const keep = Number(values.keep)
    if (!Number.isInteger(keep) || keep < 1)
      throw new StartError(
        `--keep is "${values.keep}", and takes how many backups stay, 1 or more.`,
      )
    return { path: resolve(path), keep, isVerified: values.verify }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw asUsage(error, USAGE)
  }
}

function refuseElsewhere({ databaseUrl, s3 }: Settings): void {
  if (databaseUrl !== null)
    throw new StartError(
      'The database is that of DATABASE_URL: back it up with pg_dump first, then the data folder and the keys. This command is for the embedded one.',
    )
  if (s3 !== null)
    throw new StartError(
      'Files are in the bucket of S3_BUCKET: keep them by its versioning, or copy it. This command is for files on the disk.',
    )
}

function linesOf(result: BackupResult, path: string): readonly string[] {
  const { name, files, copied, databaseBytes, faults, removed } = result
  return [
    ...faults.map((fault) => `MISSING  ${fault}`),
    ...removed.map((old) => `Removed ${old}: newer backups are kept.`),
    `${name} in ${path}: database ${bytesText(databaseBytes)}, ${files.count} files of ${bytesText(files.sizeBytes)}, of which ${copied.count} were copied (${bytesText(copied.sizeBytes)}).`,
    ...(faults.length === 0
      ? []
      : [`${faults.length} of what rows name is not in the backup as it should be; see above.`]),
  ]
}
