import { dropStrayPictures, filmstripPrefix } from './pictures.ts'
import type { MediaApi } from './api.ts'
import type { ProbeFailure, ProbeReport } from './report.ts'
import { deepFindings } from '#checks/deep-rules.ts'
import type { DeepFacts } from '#checks/facts.ts'
import { worstFirst } from '#checks/quick-rules.ts'
import type { Ids } from '#src/lib/ids.ts'
import type { Locks } from '#src/lib/locks.ts'
import type { Log } from '#src/lib/log.ts'
import { ok, type Result } from '#src/lib/result.ts'
import { keepImage, type ImageDeps } from '#src/local/db/images.ts'

/** Pictures of a strip: enough to recognise a scene, few enough to be made during an upload. */
const FILMSTRIP_PICTURES = 12
/** Pixels. */
const FILMSTRIP_WIDTH = 160

export interface DeepCheckDeps extends ImageDeps {
  readonly media: Pick<MediaApi, 'deepCheck'>
  readonly ids: Ids
  readonly log: Log
  /** One deep check of a file at a time, in whichever tab it began. */
  readonly locks: Locks
}

/**
 * A report with what the deep check found; findings of an earlier deep check are replaced. Pure.
 */
export function withDeepFacts(report: ProbeReport, deep: DeepFacts): ProbeReport {
  const earlier =
    report.deep === undefined
      ? new Set<string>()
      : new Set(deepFindings(report.deep, report.durationMs ?? 0).map((finding) => finding.ruleId))
  const kept = report.findings.filter(
    (finding) => !earlier.has(finding.ruleId) || isOfQuickCheck(finding),
  )
  return {
    ...report,
    deep,
    findings: worstFirst([...kept, ...deepFindings(deep, report.durationMs ?? 0)]),
  }
}

/**
 * Runs the deep check of a chosen file during its upload. Saves the pictures of the strip as they
 * come, and merges the facts into the upload's row, which live queries show. Writes only
 * `probe` of the row, so it may run in the page while a worker drives the upload. Best effort and
 * idempotent; nothing is sent. An upload that has gone meanwhile is left gone, and one that is
 * looked at already is left to that look.
 */
export async function deepCheckUpload(
  deps: DeepCheckDeps,
  uploadId: string,
  file: File,
): Promise<Result<void, ProbeFailure>> {
  let looked: Result<void, ProbeFailure> = ok(undefined)
  await deps.locks.ifFree(`upload-look:${uploadId}`, async () => {
    looked = await look(deps, uploadId, file)
  })
  return looked
}

async function look(
  deps: DeepCheckDeps,
  uploadId: string,
  file: File,
): Promise<Result<void, ProbeFailure>> {
  const { db, media } = deps
  const save = async (key: string, blob: Blob): Promise<void> => {
    await keepImage(deps, key, blob).catch(() => deps.log.debug('a picture was not saved'))
  }
  const row = await db.uploads.get(uploadId).catch(() => undefined)
  // Assets may be pictures or sounds, and what could not be probed cannot be checked deeply.
  if (row?.purpose !== 'media-job' || row.probe === null) return ok(undefined)
  await dropStrayPictures(db).catch(() => deps.log.debug('old pictures were not removed'))
  const saves: Promise<void>[] = []
  const found = await media.deepCheck(
    file,
    { id: deps.ids.uuid(), count: FILMSTRIP_PICTURES, width: FILMSTRIP_WIDTH },
    (index, picture) => {
      saves.push(save(`${filmstripPrefix(uploadId)}${index}`, picture))
    },
  )
  await Promise.all(saves)
  if (!found.ok) return found
  const merged = db.transaction('rw', db.uploads, async () => {
    const report = (await db.uploads.get(uploadId))?.probe ?? null
    if (report !== null)
      await db.uploads.update(uploadId, { probe: withDeepFacts(report, found.value) })
  })
  await merged.catch(() => deps.log.warn('what the deep check found was not saved'))
  return ok(undefined)
}

/** 'There is no sound' is known before the deep check and shares its rule's name. */
function isOfQuickCheck(finding: ProbeReport['findings'][number]): boolean {
  return finding.ruleId.startsWith('A') || finding.facts['fault'] === 'none'
}
