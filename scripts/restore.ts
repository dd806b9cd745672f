/**
 * `npm run restore -- FOLDER`: makes the empty folder of ONECUT_DATA_DIR what it was when the
 * newest backup in FOLDER was taken, or the one that `--backup` names. Ends with 0 when all that
 * its rows name is there, with 1 when something is missing or damaged, and with 2 when nothing was
 * restored.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openBackupFolder } from '#server/backup/folder.ts'
import { restore, type RestoreResult } from '#server/backup/restore.ts'
import { bytesText } from '#server/backup/words.ts'
import { readSettings, type Settings } from '#server/env.ts'
import { StartError } from '#server/start-error.ts'
import { asUsage, runCommand, showProgress } from './backup-command.ts'

const USAGE = 'npm run restore -- FOLDER [--backup NAME]'

await runCommand(async (signal) => {
  const { path, wanted } = readArgs()
  const settings = readSettings(process.env)
  refuseElsewhere(settings)
  const folder = await openBackupFolder(path)
  const names = await folder.names()
  const name = wanted ?? names.at(-1)
  if (name === undefined) throw new StartError(`There is no whole backup in "${path}".`)
  if (!names.includes(name))
    throw new StartError(`There is no backup ${name} in "${path}"; there are ${names.join(', ')}.`)
  const result = await restore(folder, name, settings, { signal, report: showProgress('restored') })
  return { lines: linesOf(result, settings), isWhole: result.faults.length === 0 }
})

function readArgs(): { readonly path: string; readonly wanted: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { backup: { type: 'string' } },
    })
    const [path, ...more] = positionals
    if (path === undefined || more.length > 0) throw new StartError(`Usage: ${USAGE}`)
    return { path: resolve(path), wanted: values.backup }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw asUsage(error, USAGE)
  }
}

function refuseElsewhere({ databaseUrl, s3 }: Settings): void {
  if (databaseUrl !== null)
    throw new StartError('A backup is restored into the embedded database: leave DATABASE_URL out.')
  if (s3 !== null) throw new StartError('A backup is restored to the disk: leave S3_BUCKET out.')
}

function linesOf(result: RestoreResult, { dataDir }: Settings): readonly string[] {
  const { takenAt, files, rows, faults } = result
  return [
    ...faults.map((fault) => `MISSING  ${fault}`),
    `Restored to ${dataDir}, as it was at ${takenAt}: ${rows} rows, ${files.count} files of ${bytesText(files.sizeBytes)}.`,
    'All people log in again. What came after the backup is lost; docs/production.md says what to look after.',
    ...(faults.length === 0
      ? []
      : [`${faults.length} of what rows name is not there as it should be; see above.`]),
  ]
}
