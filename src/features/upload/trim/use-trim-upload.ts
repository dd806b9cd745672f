import { useAccount } from '#src/hooks/device/local-context.ts'
import { useLive } from '#src/hooks/sync/use-live.ts'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { mayHoldBytes, stageOfKind } from '#src/local/db/upload-states.ts'
import { openUpload } from '#src/local/uploads/page/open-upload.ts'
import { useSendInstead } from './use-send-instead.ts'
import { mayBeCut, useTrimPlaces } from './use-trim-places.ts'
import { useTrimChoice, type TrimChoice } from './use-trim-choice.ts'

/**
 * The choice of what is sent of a video that is on its way. Null where it cannot be cut, once all
 * of it is sent, and once edits of it are ordered.
 */
export function useTrimUpload(row: UploadRow): TrimChoice | null {
  const db = useAccount()?.db ?? null
  const { bridge } = useUploadsContext()
  const ordered = useLive(`is-ordered:${row.uploadRequestId}`, (account) => isOrdered(account, row))
  const sendInstead = useSendInstead(row)
  const isOffered =
    db !== null &&
    isOnItsWay(row) &&
    mayBeCut(row.probe) &&
    ordered.kind === 'ready' &&
    !ordered.value
  const video = useTrimPlaces(
    row.id,
    isOffered
      ? () => openWhole(db, row, row.trim === undefined ? bridge.heldFile(row.id) : null)
      : null,
  )
  return useTrimChoice(
    video === null
      ? null
      : {
          ...video,
          name: row.file.name,
          trim: row.trim ?? null,
          arrivedBytes: row.safeBytes,
          onChoose: (trim) => sendInstead(video, trim),
        },
  )
}

/** All of the chosen file. Of a trim, the device may have no more than what is sent. */
async function openWhole(
  db: AccountDb,
  { trim, ...row }: UploadRow,
  held: File | null,
): Promise<File | null> {
  const sizeBytes = trim?.wholeSizeBytes ?? row.file.sizeBytes
  const opened = await openUpload(db, { ...row, file: { ...row.file, sizeBytes } }, held)
  return opened.ok && opened.value.size === sizeBytes ? opened.value : null
}

/** What the person pauses is on its way too. */
function isOnItsWay({ state: { kind } }: UploadRow): boolean {
  const stage = stageOfKind(kind)
  return (
    mayHoldBytes(kind) &&
    kind !== 'finalising' &&
    (stage === 'prepare' || stage === 'send' || kind === 'paused')
  )
}

/** Whether edits of the video are submitted: what they are made of stays as it is. */
async function isOrdered(db: AccountDb, { id, uploadRequestId }: UploadRow): Promise<boolean> {
  const [outbox, jobs] = await Promise.all([
    db.outbox.toArray(),
    uploadRequestId === null ? 0 : db.mediaJobs.where({ uploadRequestId }).count(),
  ])
  return (
    jobs > 0 ||
    outbox.some(({ intent }) => intent.kind === 'submit-edits' && intent.uploadId === id)
  )
}
