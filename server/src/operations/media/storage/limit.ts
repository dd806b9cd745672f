import type { TxCtx, WithUser } from '#server/context.ts'
import { TIMES_THE_REST } from '#server/budgets.ts'
import { promisedBytes } from '#server/object-store/disk-room.ts'
import { Problem } from '#server/problems.ts'
import { readStorageUsage, type StorageUsage } from './usage.ts'

const GB = 1e9

/**
 * Refuses a new file of `sizeBytes` that the user's account or the server has no room for:
 * `uploads/account-full` where less of the user's own would help, else `uploads/no-space`. The
 * caller holds the user's lock for new uploads.
 */
export async function refuseBeyondStorage(
  ctx: TxCtx & WithUser,
  { sizeBytes }: { readonly sizeBytes: number },
): Promise<void> {
  const usage = await readStorageUsage(ctx)
  const plannedBytes = plannedOf(usage)
  const limitBytes = ctx.settings.accountStorageBytes
  if (plannedBytes + sizeBytes > limitBytes) throw accountFull(plannedBytes + sizeBytes, limitBytes)
  const spareBytes = await ctx.store.spareBytes()
  if (spareBytes === null) return
  const restBytes = restOf(usage, spareBytes, ctx.clock())
  const shareBytes = shareOf(plannedBytes, restBytes)
  if (plannedBytes + sizeBytes <= shareBytes) return
  throw sizeBytes <= shareOf(0, plannedBytes + restBytes)
    ? accountFull(plannedBytes + sizeBytes, shareBytes)
    : noSpace()
}

/** What the account takes when its unfinished uploads are complete. */
export function plannedOf({ sourceBytes, resultBytes, open }: StorageUsage): number {
  return open.reduce((sum, upload) => sum + upload.sizeBytes, sourceBytes + resultBytes)
}

/** What is left of the disk when the account's unfinished uploads are complete. */
function restOf({ open }: StorageUsage, spareBytes: number, now: Date): number {
  return open.reduce(
    (rest, upload) => rest + promisedBytes(upload, now) - (upload.sizeBytes - upload.sentBytes),
    spareBytes,
  )
}

/**
 * The most that an account with `plannedBytes` may take while the disk has `restBytes` beside them:
 * `TIMES_THE_REST` of what it leaves.
 */
export function shareOf(plannedBytes: number, restBytes: number): number {
  const share = (plannedBytes + Math.max(0, restBytes)) * TIMES_THE_REST
  return Math.floor(share / (TIMES_THE_REST + 1))
}

/** The refusal of a file that the disk cannot take now. */
export function noSpace(): Problem {
  return new Problem(
    'uploads/no-space',
    'The server does not have enough space for this file right now. Please try again later.',
  )
}

function accountFull(wantedBytes: number, limitBytes: number): Problem {
  return new Problem(
    'uploads/account-full',
    `Your files may take up to ${inGb(limitBytes)} GB here, and with this one they would take ${inGb(wantedBytes)} GB. Delete files under Storage on your account page, or discard an unfinished upload first.`,
  )
}

/** With one place, so that a limit and what exceeds it do not look the same. */
function inGb(bytes: number): string {
  return (bytes / GB).toFixed(1).replace(/\.0$/, '')
}
