/**
 * What is known of the backups of a data folder. A backup notes in the data folder where it was
 * written, and a verification in the folder of backups what it found, so that the doctor finds both
 * without being told.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { StartError } from '#server/start-error.ts'
import { openBackupFolder, readBackup } from './folder.ts'
import { ageText } from './words.ts'

const NOTE = 'backups.json'
const noteSchema = v.object({ folder: v.string() })
const VERIFIED = 'verified.json'
const verifiedSchema = v.object({ at: v.pipe(v.string(), v.isoTimestamp()), isWhole: v.boolean() })

const HOUR_MS = 3_600_000
/** One a night, of which one may have been missed. */
const OLD_MS = 48 * HOUR_MS
/** One a month, and some days. */
const UNVERIFIED_MS = 40 * 24 * HOUR_MS

/** Notes in a data folder where its backups are. */
export async function noteBackups(dataDir: string, folder: string): Promise<void> {
  await writeFile(join(dataDir, NOTE), JSON.stringify({ folder }), { mode: 0o600 })
}

/** Notes beside backups that all of them were read, and whether they are whole. */
export async function noteVerified(folder: string, at: Date, isWhole: boolean): Promise<void> {
  const note = { at: at.toISOString(), isWhole }
  await writeFile(join(folder, VERIFIED), JSON.stringify(note), { mode: 0o600 })
}

/** One thing about backups that is as it should be, or is not. */
interface BackupFinding {
  readonly isRight: boolean
  readonly text: string
}

/** Whether a data folder has a backup, how old the newest is, and whether they were verified. */
export async function examineBackups(dataDir: string, now: Date): Promise<BackupFinding[]> {
  const note = await readNote(join(dataDir, NOTE), noteSchema)
  if (note === null)
    return [wrong('No backup of this data folder was made: npm run backup -- FOLDER makes one.')]
  try {
    const folder = await openBackupFolder(note.folder)
    const newest = (await folder.names()).at(-1)
    if (newest === undefined) return [wrong(`There is no whole backup in "${note.folder}".`)]
    const { takenAt, faults } = await readBackup(folder, newest)
    const verified = await readNote(join(note.folder, VERIFIED), verifiedSchema)
    return [
      ageFinding(now.getTime() - Date.parse(takenAt), note.folder),
      ...(faults.length === 0
        ? []
        : [
            wrong(
              `${faults.length} of what rows name is not in the newest backup as it should be.`,
            ),
          ]),
      verifiedFinding(verified, now),
    ]
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return [wrong(`The backups of this data folder cannot be read now. ${error.message}`)]
  }
}

function ageFinding(ageMs: number, folder: string): BackupFinding {
  const text = `The newest backup is ${ageText(ageMs)} old, in "${folder}".`
  return ageMs > OLD_MS ? wrong(`${text} Make one each night.`) : { isRight: true, text }
}

function verifiedFinding(
  verified: v.InferOutput<typeof verifiedSchema> | null,
  now: Date,
): BackupFinding {
  const advice = 'npm run backup -- FOLDER --verify reads all of them; do that each month.'
  if (verified === null) return wrong(`The backups were never verified: ${advice}`)
  const ageMs = now.getTime() - Date.parse(verified.at)
  const when = `${ageText(ageMs)} ago`
  if (!verified.isWhole)
    return wrong(`The verification of ${when} found damaged backups: ${advice}`)
  if (ageMs > UNVERIFIED_MS) return wrong(`The backups were last verified ${when}: ${advice}`)
  return { isRight: true, text: `The backups were verified ${when}, and were whole.` }
}

function wrong(text: string): BackupFinding {
  return { isRight: false, text }
}

/** Null where there is no note, or none that can be read. */
async function readNote<S extends v.GenericSchema>(
  path: string,
  schema: S,
): Promise<v.InferOutput<S> | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
  return parsed.success ? parsed.output : null
}
