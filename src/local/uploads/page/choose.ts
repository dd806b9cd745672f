import { fileFacts, fileSource } from '#src/local/uploads/file/file-source.ts'
import { fingerprintOf } from '#src/local/uploads/file/fingerprint.ts'
import { LOCAL_FILE_MAX_BYTES, SHORT_VIDEO_WARNING_BYTES } from '#spec/numbers.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import { uploadIdempotencyKey, type Ids } from '#src/lib/ids.ts'
import type { Log } from '#src/lib/log.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { FACTS, readFact } from '#src/local/db/facts.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { Finding, ProbeFailure, ProbeReport } from '#src/local/probe/report.ts'

export interface ChooseDeps {
  readonly db: AccountDb
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>
  readonly probe: (file: File) => Promise<Result<ProbeReport, ProbeFailure>>
  /** Makes this page the owner of a draft before the draft is written; see `drafts.ts`. */
  readonly own: (uploadId: string) => Promise<void>
  /** Rule B8: finds an upload of the same bytes on this device. */
  readonly findEarlier: (
    rows: readonly UploadRow[],
    sizeBytes: number,
    fingerprint: NonNullable<UploadRow['fingerprint']>,
  ) => Finding | null
  /** The same for unfinished uploads that only the server knows. */
  /** The account without what is hidden; all of it unless given. */
  readonly shown?: AccountDb
  readonly findElsewhere: (file: File) => Promise<Finding | null>
}

export interface ChosenVideo {
  /** Local id of the new draft. */
  readonly uploadId: string
  /** Null when this device could not check the file; the server checks it on arrival. */
  readonly report: ProbeReport | null
  /** Findings to show; none of them forbids the upload. */
  readonly notices: readonly Finding[]
  /** UPL-04: smaller than 100 MB. */
  readonly isShortVideo: boolean
}

/** Why a file is refused. Trying the same file again does not help. */
export type ChooseRefusal =
  | { readonly code: 'choose/empty' }
  | { readonly code: 'choose/too-large'; readonly sizeBytes: number; readonly maxBytes: number }
  /** Moved, changed, or not allowed to be read. */
  | { readonly code: 'choose/unreadable' }
  /** A pre-check refuses the file; the screen shows the words of the finding. */
  | { readonly code: 'choose/blocked'; readonly finding: Finding }
  /** The device's database refused the draft. */
  | { readonly code: 'choose/not-saved' }

/**
 * Failures that are the file's fault, with the rule that refuses it. After any other failure the
 * file counts as "not checked here".
 */
const FORBIDDING: Readonly<Partial<Record<ProbeFailure['code'], string>>> = {
  'probe/empty': 'A1',
  'probe/not-media': 'A3',
  'probe/no-video': 'A4',
  'probe/dolby-vision': 'A18',
  'probe/incomplete': 'A5',
  'probe/encrypted': 'A7',
  'probe/gone': 'A9',
  'probe/changed': 'A9',
}

/**
 * Checks a chosen file and writes its draft on this device: fingerprint, probe report, and the
 * handle if the browser gave one. Sends nothing. Checks the size first, without reading the file
 * (docs/product-decisions.md#file-types-and-sizes). Call in the page.
 */
export async function chooseVideo(
  deps: ChooseDeps,
  file: File,
  handle: FileSystemFileHandle | null,
  purpose: UploadRow['purpose'] = 'media-job',
): Promise<Result<ChosenVideo, ChooseRefusal>> {
  if (file.size === 0) return err({ code: 'choose/empty' })
  if (file.size > LOCAL_FILE_MAX_BYTES)
    return err({ code: 'choose/too-large', sizeBytes: file.size, maxBytes: LOCAL_FILE_MAX_BYTES })
  const checked = await checkFile(deps, file, purpose)
  if (!checked.ok) return checked
  const { fingerprint, report, findings } = checked.value
  const row = draftOf(deps, file, purpose, fingerprint, report)
  try {
    await deps.own(row.id)
    await deps.db.uploads.add(row)
    if (handle !== null) await deps.db.handles.put({ uploadId: row.id, handle })
  } catch (thrown) {
    deps.log.warn('a draft could not be saved', describeBug(thrown))
    return err({ code: 'choose/not-saved' })
  }
  return ok({
    uploadId: row.id,
    report: row.probe,
    notices: purpose === 'media-job' ? findings : [],
    isShortVideo: isShortVideo(file.size) && purpose === 'media-job',
  })
}

/** What is known of a file before it is sent. */
export interface CheckedFile {
  readonly fingerprint: NonNullable<UploadRow['fingerprint']>
  /** Null when this device could not check the file. */
  readonly report: ProbeReport | null
  readonly findings: readonly Finding[]
}

/** Takes the fingerprint and checks the content; refuses what a finding forbids. */
export async function checkFile(
  deps: Pick<ChooseDeps, 'db' | 'shown' | 'digest' | 'probe' | 'findEarlier' | 'findElsewhere'>,
  file: File,
  purpose: UploadRow['purpose'],
): Promise<Result<CheckedFile, ChooseRefusal>> {
  const [fingerprint, probed] = await Promise.all([
    fingerprintOf(deps.digest, fileSource(file)),
    deps.probe(file),
  ])
  if (!fingerprint.ok) return err({ code: 'choose/unreadable' })
  const earlier = purpose === 'media-job' ? await knownAlready(deps, file, fingerprint.value) : []
  const findings = [
    ...(probed.ok ? probed.value.findings : [failureFinding(probed.error)]),
    ...earlier,
  ]
  const blocking = findings.find(
    ({ ruleId, verdict }) => verdict === 'block' && refuses(purpose, ruleId),
  )
  if (blocking !== undefined) return err({ code: 'choose/blocked', finding: blocking })
  const report = probed.ok ? { ...probed.value, findings } : null
  return ok({ fingerprint: fingerprint.value, report, findings })
}

/** An asset may be a picture or a sound; what makes a file useless for it is that it is damaged. */
const ASSET_REFUSALS: ReadonlySet<string> = new Set(['A1', 'A5', 'A6', 'A7', 'A9', 'A18'])

function refuses(purpose: UploadRow['purpose'], ruleId: string): boolean {
  return purpose === 'media-job' || ASSET_REFUSALS.has(ruleId)
}

function draftOf(
  deps: ChooseDeps,
  file: File,
  purpose: UploadRow['purpose'],
  fingerprint: UploadRow['fingerprint'],
  probe: ProbeReport | null,
): UploadRow {
  const nowEpochMs = deps.clock.now()
  return {
    id: deps.ids.uuid(),
    uploadRequestId: null,
    idempotencyKey: uploadIdempotencyKey(deps.ids, nowEpochMs),
    purpose,
    file: fileFacts(file),
    state: { kind: 'draft' },
    epoch: 0,
    plan: null,
    safeBytes: 0,
    probe,
    fingerprint,
    createdAtEpochMs: nowEpochMs,
    updatedAtEpochMs: nowEpochMs,
  }
}

async function knownAlready(
  deps: Pick<ChooseDeps, 'db' | 'shown' | 'findEarlier' | 'findElsewhere'>,
  file: File,
  fingerprint: NonNullable<UploadRow['fingerprint']>,
): Promise<readonly Finding[]> {
  // A database that cannot be read shows when the draft is saved.
  const rows = await usableUploads(deps.shown ?? deps.db).catch(() => [])
  const earlier = deps.findEarlier(rows, file.size, fingerprint)
  const known = earlier ?? (await deps.findElsewhere(file).catch(() => null))
  return known === null ? [] : [known]
}

/** The uploads of this device, without those whose video was deleted from the server. */
async function usableUploads(db: AccountDb): Promise<readonly UploadRow[]> {
  const listed = (await readFact(db, FACTS.uploads))?.value ?? []
  const deleted = new Set(
    listed.flatMap(({ isDeleted, uploadRequestId }) => (isDeleted ? [uploadRequestId] : [])),
  )
  return (await db.uploads.toArray()).filter((row) => !deleted.has(row.uploadRequestId ?? ''))
}

/** UPL-04: whether the page asks if a longer video was meant. */
export function isShortVideo(sizeBytes: number): boolean {
  return sizeBytes < SHORT_VIDEO_WARNING_BYTES
}

/**
 * Turns a failed check into a finding: a rule A… when the file is at fault, B10 ("not checked
 * here") when this device is.
 */
function failureFinding(failure: ProbeFailure): Finding {
  const ruleId = FORBIDDING[failure.code]
  return ruleId === undefined
    ? { ruleId: 'B10', verdict: 'warn', facts: {} }
    : { ruleId, verdict: 'block', facts: failure.facts ?? {} }
}
