import type { AccountDb } from '#src/local/db/account-db.ts'
import { ATTESTATION } from '#spec/attestation.ts'

/** What this device knows of the attestation of a video. */
export type KnownAttestation =
  | 'none'
  /** The server has it, with the first order. */
  | 'sent'
  /** Confirmed here before an edit was made on the device; the first order takes it along. */
  | 'kept'

/** Local read. A text that has changed since is asked for again. */
export async function readAttestation(
  db: AccountDb,
  {
    uploadRequestId,
    uploadId,
  }: {
    /** Null while the server does not know the video. */
    readonly uploadRequestId: string | null
    /** The upload on this device; null to find it by the other. */
    readonly uploadId: string | null
  },
): Promise<KnownAttestation> {
  const [jobs, upload] = await Promise.all([
    uploadRequestId === null
      ? []
      : db.mediaJobs.where('uploadRequestId').equals(uploadRequestId).toArray(),
    uploadRequestId === null || uploadId !== null
      ? undefined
      : db.uploads.where('uploadRequestId').equals(uploadRequestId).first(),
  ])
  // Rows of an older app have no such field.
  if (jobs.some(({ value }) => (value.attestedAt ?? null) !== null)) return 'sent'
  const id = uploadId ?? upload?.id
  const kept = id === undefined ? undefined : await db.drafts.get(attestationKey(id))
  return kept?.value === ATTESTATION.version ? 'kept' : 'none'
}

/** Keeps that a video was attested, until its first order. Local write, idempotent. */
export async function keepAttestation(
  db: AccountDb,
  uploadId: string,
  nowEpochMs: number,
): Promise<void> {
  await db.drafts.put({
    key: attestationKey(uploadId),
    value: ATTESTATION.version,
    updatedAtEpochMs: nowEpochMs,
  })
}

function attestationKey(uploadId: string): string {
  return `attestation:${uploadId}`
}
