import { useAccount } from '#src/hooks/device/local-context.ts'
import { useLive } from '#src/hooks/sync/use-live.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

/**
 * All uploads of this device, newest first, without discarded ones and drafts; undefined while they
 * are being read.
 */
export function useUploads(): readonly UploadRow[] | undefined {
  const live = useLive('uploads', readUploads)
  return live.kind === 'ready' ? live.value : undefined
}

/** Reads once what `useUploads` follows; empty without an account. Rejects like the database. */
export function useReadUploads(): () => Promise<readonly UploadRow[]> {
  const account = useAccount()
  return async () => (account === null ? [] : readUploads(account.shown))
}

async function readUploads(db: AccountDb): Promise<readonly UploadRow[]> {
  return (await db.uploads.orderBy('createdAtEpochMs').reverse().toArray()).filter(isShown)
}

/** A draft belongs to the card in which it was chosen, and an excerpt to its video. */
function isShown({ state, purpose }: UploadRow): boolean {
  return state.kind !== 'discarded' && state.kind !== 'draft' && purpose !== 'excerpt'
}
