import type { AssetRoom } from '#src/hooks/assets/use-media-assets.ts'
import { formatBytes } from '#src/lib/bytes.ts'

/** Why a file is not taken. */
export interface Refusal {
  readonly title: string
  readonly body: string | null
}

/** Why there is no room for one more asset; null where there is, and where it is not known. */
export function roomRefusal(room: AssetRoom | null, sizeBytes: number): Refusal | null {
  if (room === null) return null
  if (room.count >= room.maxCount)
    return {
      title: `You have ${room.count} assets, as many as an account may keep`,
      body: 'Delete one that you do not need, then choose this file again. Nothing was sent.',
    }
  const leftBytes = Math.max(0, room.maxBytes - room.bytes)
  return sizeBytes > leftBytes
    ? {
        title: 'There is not enough room for this asset',
        body: `It has ${formatBytes(sizeBytes)}, and ${formatBytes(leftBytes)} are left for your assets. Delete some that you do not need, then choose this file again. Nothing was sent.`,
      }
    : null
}

/** '3 of 200 assets, 1.2 of 10 GB'; null while it is not known. */
export function roomWords(room: AssetRoom | null): string | null {
  return room === null
    ? null
    : `${room.count} of ${room.maxCount} assets, ${formatBytes(room.bytes)} of ${formatBytes(room.maxBytes)} used.`
}
