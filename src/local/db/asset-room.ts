import type { AccountDb } from './account-db.ts'
import { FACTS, readFact, type FactValues } from './facts.ts'
import type { UploadRow } from './rows.ts'

/** States of which the server never had a file, or has none any more. */
const WITHOUT_FILE: ReadonlySet<UploadRow['state']['kind']> = new Set([
  'draft',
  'expired',
  'discarded',
])

/** The files of assets that this device sends and the server counts. Local read. */
export async function readCountedUploads(db: AccountDb): Promise<readonly UploadRow[]> {
  return (await readUploads(db)).filter(isCounted)
}

/** The room for assets, brought up to date with what this device did since. */
interface KnownRoom {
  readonly room: FactValues['mediaAssetRoom']
  /** Whether the server would count otherwise than it did when it was asked. */
  readonly isOutdated: boolean
}

/**
 * The room for assets as the server last told it, with the files and deletions of this device that
 * the server had not counted then; null while it was never asked. Local read.
 */
export async function readKnownRoom(db: AccountDb): Promise<KnownRoom | null> {
  const fact = await readFact(db, FACTS.mediaAssetRoom)
  if (fact === null) return null
  const { knownHere, ...room } = fact.value
  const [uploads, assets, outbox] = await Promise.all([
    readUploads(db),
    db.mediaAssets.toCollection().primaryKeys(),
    db.outbox.toArray(),
  ])
  const counted = uploads.filter(isCounted)
  const known = assets.length + counted.length
  // An older version wrote the room without it: asking again brings it.
  if (knownHere === undefined) return { room, isOutdated: true }
  const going = new Set(
    outbox.flatMap(({ intent, state }) => {
      if (intent.kind === 'abort-upload') return [intent.uploadRequestId]
      return intent.kind === 'delete-media-asset' && state.kind !== 'refused'
        ? [intent.mediaAssetId]
        : []
    }),
  )
  const coming = uploads.filter(
    ({ uploadRequestId, state }) =>
      uploadRequestId === null && state.kind !== 'failed' && state.kind !== 'discarding',
  )
  const leaving = [
    ...assets.filter((id) => going.has(id)),
    ...counted.filter(
      ({ uploadRequestId, state }) =>
        state.kind === 'discarding' || going.has(uploadRequestId ?? ''),
    ),
  ]
  const count = room.count + known - knownHere + coming.length - leaving.length
  return { room: { ...room, count: Math.max(0, count) }, isOutdated: known !== knownHere }
}

async function readUploads(db: AccountDb): Promise<readonly UploadRow[]> {
  return (await db.uploads.toArray()).filter(
    ({ purpose, state }) => purpose === 'media-asset' && !WITHOUT_FILE.has(state.kind),
  )
}

/** The server does not count a file that it could not read. */
function isCounted({ uploadRequestId, state }: UploadRow): boolean {
  const isRefused = state.kind === 'failed' && state.code === 'upload/invalid-file'
  return uploadRequestId !== null && !isRefused
}
