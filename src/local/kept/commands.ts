import type { KeptBytes } from './kept-bytes.ts'
import type { components } from '#openapi/schema.gen.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { FACTS, readFact, writeFact, type Keeping } from '#src/local/db/facts.ts'
import type { HandedFile, KeptFileRow, MediaJobRow } from '#src/local/db/rows.ts'
import type { Clock } from '#src/lib/time.ts'

export interface KeepDeps {
  readonly db: AccountDb
  readonly clock: Clock
}

const NO_KEEPING: Keeping = { limitBytes: null, rules: [] }

/** How this device keeps files. Local read. */
export async function readKeeping(db: AccountDb): Promise<Keeping> {
  return (await readFact(db, FACTS.keeping))?.value ?? NO_KEEPING
}

/**
 * Keeps a result of a video on this device; again where it failed or was removed. False where it is
 * kept or being got, and where this device does not know the result.
 * @param handed the browser gets it; null for the loop
 */
export async function keepOutput(
  deps: KeepDeps,
  uploadRequestId: string,
  outputId: string,
  handed: HandedFile | null = null,
): Promise<boolean> {
  const { db } = deps
  return db.transaction('rw', db.mediaJobs, db.keptFiles, async () => {
    const jobs = await jobsOf(db, uploadRequestId)
    const found = jobs
      .flatMap((job) => resultsOf(deps, job))
      .find((row) => row.outputId === outputId)
    if (found === undefined) return false
    const present = await db.keptFiles.get(outputId)
    if (present !== undefined && present.state !== 'failed') return false
    await db.keptFiles.put(handed === null ? found : { ...found, state: 'getting', handed })
    return true
  })
}

/**
 * Gets a file again that failed. False where it is not one.
 * @param handed the browser gets it; null for the loop
 */
export async function getAgain(
  { db, clock }: KeepDeps,
  outputId: string,
  handed: HandedFile | null = null,
): Promise<boolean> {
  const changed = await db.keptFiles
    .where('outputId')
    .equals(outputId)
    .and(({ state }) => state === 'failed')
    .modify((row: { -readonly [Key in keyof KeptFileRow]: KeptFileRow[Key] }) => {
      row.state = handed === null ? 'queued' : 'getting'
      row.queuedAtEpochMs = clock.now()
      delete row.fault
      if (handed !== null) row.handed = handed
    })
  return changed > 0
}

/** Removes files from this device; a rule does not bring them back. */
export async function removeKept(
  deps: KeepDeps & { readonly bytes: KeptBytes },
  outputIds: readonly string[],
): Promise<void> {
  const { db, bytes } = deps
  await db.transaction('rw', db.mediaJobs, db.keptFiles, db.facts, async () => {
    const rows = (await db.keptFiles.bulkGet([...outputIds])).filter((row) => row !== undefined)
    const jobs = await db.mediaJobs.bulkGet(rows.map(({ mediaJobId }) => mediaJobId))
    await changeKeeping(deps, (keeping) => ({
      ...keeping,
      rules: keeping.rules.map((rule) => {
        const removed = rows.filter(
          (_row, at) => jobs[at]?.uploadRequestId === rule.uploadRequestId,
        )
        const ids = removed.map(({ outputId }) => outputId)
        return { ...rule, exceptOutputIds: [...rule.exceptOutputIds, ...ids] }
      }),
    }))
    await db.keptFiles.bulkDelete([...outputIds])
  })
  // One that is being written is removed by its writer.
  for (const outputId of outputIds) await bytes.remove(outputId).catch(() => undefined)
}

/** Keeps the results of a video that are still to come, or does not any more. */
export async function setRule(
  deps: KeepDeps,
  uploadRequestId: string,
  isOn: boolean,
): Promise<void> {
  const { db } = deps
  await db.transaction('rw', db.mediaJobs, db.facts, async () => {
    const jobs = await jobsOf(db, uploadRequestId)
    const here = jobs.flatMap((job) => resultsOf(deps, job)).map(({ outputId }) => outputId)
    await changeKeeping(deps, ({ limitBytes, rules }) => {
      const others = rules.filter((rule) => rule.uploadRequestId !== uploadRequestId)
      const own = { uploadRequestId, exceptOutputIds: here }
      return { limitBytes, rules: isOn ? [...others, own] : others }
    })
  })
}

/** What kept files may take together. Removes nothing. */
export async function setLimit(deps: KeepDeps, limitBytes: number): Promise<void> {
  await deps.db.transaction('rw', deps.db.facts, async () => {
    await changeKeeping(deps, (keeping) => ({ ...keeping, limitBytes }))
  })
}

/** A person has played, saved or shared it. */
export async function markOpened({ db, clock }: KeepDeps, outputId: string): Promise<void> {
  await db.keptFiles.update(outputId, { lastOpenedAtEpochMs: clock.now() })
}

/** Its bytes were not there when a person wanted to see it. */
export async function markRemoved(db: AccountDb, outputId: string): Promise<void> {
  await db.keptFiles
    .where('outputId')
    .equals(outputId)
    .and(({ state }) => state === 'kept')
    .modify({ state: 'failed', fault: 'removed', gotBytes: 0 })
}

/** Makes rows of the results that a rule wants and that have none. */
export async function followRules(deps: KeepDeps): Promise<void> {
  const { db } = deps
  const { rules } = await readKeeping(db)
  for (const { uploadRequestId } of rules)
    await db.transaction('rw', db.mediaJobs, db.keptFiles, db.facts, async () => {
      // Read again: what was removed meanwhile has no row, and must not get one.
      const now = (await readKeeping(db)).rules.find(
        (rule) => rule.uploadRequestId === uploadRequestId,
      )
      if (now === undefined) return
      const { exceptOutputIds } = now
      const jobs = await jobsOf(db, uploadRequestId)
      const wanted = jobs
        .flatMap((job) => resultsOf(deps, job))
        .filter(({ outputId }) => !exceptOutputIds.includes(outputId))
      const present = await db.keptFiles.bulkGet(wanted.map(({ outputId }) => outputId))
      await db.keptFiles.bulkAdd(wanted.filter((_row, at) => present[at] === undefined))
    })
}

/** In a transaction. */
async function changeKeeping(
  { db, clock }: KeepDeps,
  change: (keeping: Keeping) => Keeping,
): Promise<void> {
  await writeFact(db, FACTS.keeping, change(await readKeeping(db)), clock.now())
}

function jobsOf(db: AccountDb, uploadRequestId: string): Promise<MediaJobRow[]> {
  return db.mediaJobs.where('uploadRequestId').equals(uploadRequestId).toArray()
}

/** The files that a job has made, as rows that wait for their turn. */
function resultsOf({ clock }: Pick<KeepDeps, 'clock'>, { value }: MediaJobRow): KeptFileRow[] {
  const now = clock.now()
  return value.tasks
    .filter(({ status }) => status === 'succeeded')
    .flatMap((task) =>
      task.outputs.filter(isFile).map((output) => ({
        outputId: output._id,
        taskId: task._id,
        mediaJobId: value._id,
        fileName: output.fileName,
        contentType: output.contentType,
        sizeBytes: output.sizeBytes,
        state: 'queued',
        gotBytes: 0,
        queuedAtEpochMs: now,
        lastOpenedAtEpochMs: now,
      })),
    )
}

type Output = components['schemas']['Output']
function isFile(output: Output): output is Extract<Output, { kind: 'download-button' }> {
  return output.kind === 'download-button'
}
