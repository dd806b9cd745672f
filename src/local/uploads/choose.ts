import { fileSource } from './file-source.ts'
import { fingerprintOf } from './fingerprint.ts'
import { LOCAL_FILE_MAX_BYTES, SHORT_VIDEO_WARNING_BYTES } from '#src/config/limits.ts'
import { uploadIdempotencyKey, type Ids } from '#src/lib/ids.ts'
import type { Log } from '#src/lib/log.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { Finding, ProbeFailure, ProbeReport } from '#src/local/probe/report.ts'

export interface ChooseDeps {
  readonly db: AccountDb
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>
  readonly probe: (file: File) => Promise<Result<ProbeReport, ProbeFailure>>
  /** Makes this page the owner of a draft that is about to be written; see `drafts.ts`. */
  readonly own: (uploadId: string) => Promise<void>
  /** Rule B8: whether this device knows these bytes already. */
  readonly findEarlier: (
    rows: readonly UploadRow[],
    sizeBytes: number,
    fingerprint: NonNullable<UploadRow['fingerprint']>,
  ) => Finding | null
}

export interface ChosenVideo {
  /** Local id of the new draft. */
  readonly uploadId: string
  /** Null when the file could not be checked here; the server checks it on arrival. */
  readonly report: ProbeReport | null
  /** Everything to show, none of which forbids the upload. */
  readonly notices: readonly Finding[]
  /** UPL-04: under 100 MB. */
  readonly isShortVideo: boolean
}

/** Why a file is not taken. None of them gets better by trying the same file again. */
export type ChooseRefusal =
  | { readonly code: 'choose/empty' }
  | { readonly code: 'choose/too-large'; readonly sizeBytes: number; readonly maxBytes: number }
  /** Moved, changed, or not allowed to be read. */
  | { readonly code: 'choose/unreadable' }
  /** A pre-check forbids it; words are those of the finding. */
  | { readonly code: 'choose/blocked'; readonly finding: Finding }
  /** The device's database refused the draft. */
  | { readonly code: 'choose/not-saved' }

/**
 * Failures that speak of the file and forbid it; the others mean that it could not be checked here.
 */
const FORBIDDING: Readonly<Partial<Record<ProbeFailure['code'], string>>> = {
  'probe/empty': 'A1',
  'probe/not-media': 'A3',
  'probe/no-video': 'A4',
  'probe/incomplete': 'A5',
  'probe/encrypted': 'A7',
  'probe/gone': 'A9',
  'probe/changed': 'A9',
}

/**
 * Checks a chosen file and makes its draft on this device: identity of the bytes, probe report,
 * handle if the browser gave one. Nothing is sent. Sizes are verdictOn first (4.48), without reading.
 * Call in the page.
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
  const [fingerprint, probed] = await Promise.all([
    fingerprintOf(deps.digest, fileSource(file)),
    deps.probe(file),
  ])
  if (!fingerprint.ok) return err({ code: 'choose/unreadable' })
  const earlier =
    purpose === 'media-job' ? await knownAlready(deps, file.size, fingerprint.value) : []
  const findings = [
    ...(probed.ok ? probed.value.findings : [failureFinding(probed.error)]),
    ...earlier,
  ]
  // An asset may be a picture or a sound, so only a video for editing is refused by these rules.
  const blocking =
    purpose === 'media-job' ? findings.find((finding) => finding.verdict === 'block') : undefined
  if (blocking !== undefined) return err({ code: 'choose/blocked', finding: blocking })
  const nowEpochMs = deps.clock.now()
  const row: UploadRow = {
    id: deps.ids.uuid(),
    uploadRequestId: null,
    idempotencyKey: uploadIdempotencyKey(deps.ids, nowEpochMs),
    purpose,
    file: {
      name: file.name,
      sizeBytes: file.size,
      lastModifiedEpochMs: file.lastModified,
      type: file.type,
    },
    state: { kind: 'draft' },
    epoch: 0,
    plan: null,
    safeBytes: 0,
    probe: probed.ok ? { ...probed.value, findings } : null,
    fingerprint: fingerprint.value,
    createdAtEpochMs: nowEpochMs,
    updatedAtEpochMs: nowEpochMs,
  }
  try {
    await deps.own(row.id)
    await deps.db.uploads.add(row)
    if (handle !== null) await deps.db.handles.put({ uploadId: row.id, handle })
  } catch (thrown) {
    deps.log.warn('a draft could not be saved', {
      name: thrown instanceof Error ? thrown.name : 'unknown',
    })
    return err({ code: 'choose/not-saved' })
  }
  return ok({
    uploadId: row.id,
    report: row.probe,
    notices: purpose === 'media-job' ? findings : [],
    isShortVideo: isShortVideo(file.size) && purpose === 'media-job',
  })
}

async function knownAlready(
  deps: ChooseDeps,
  sizeBytes: number,
  fingerprint: NonNullable<UploadRow['fingerprint']>,
): Promise<readonly Finding[]> {
  // A database that cannot be read is found out when the draft is saved.
  const rows = await deps.db.uploads.toArray().catch(() => [])
  const earlier = deps.findEarlier(rows, sizeBytes, fingerprint)
  return earlier === null ? [] : [earlier]
}

/** UPL-04: whether to ask if a longer video was meant. */
export function isShortVideo(sizeBytes: number): boolean {
  return sizeBytes < SHORT_VIDEO_WARNING_BYTES
}

/**
 * A failed check as a finding: rule A… when the file is at fault, B10 ('not checked here') when
 * this device is.
 */
export function failureFinding(failure: ProbeFailure): Finding {
  const ruleId = FORBIDDING[failure.code]
  return ruleId === undefined
    ? { ruleId: 'B10', verdict: 'warn', facts: {} }
    : { ruleId, verdict: 'block', facts: failure.facts ?? {} }
}
