import { DAY_MS } from '#src/lib/time.ts'
import type { LibraryEntry } from '#src/hooks/edits/use-library.ts'
import { queryOf, SINCE_DAYS, type LibraryAddress } from './library-address.ts'

/** One video of the library with its orders. */
export interface LibraryVideo {
  readonly uploadRequestId: string
  readonly name: string
  /** The orders that the address asks for, the newest first; at least one. */
  readonly orders: readonly [LibraryEntry, ...LibraryEntry[]]
  /** Further orders of the video on this device, which the address leaves out. */
  readonly hiddenCount: number
  /** Edits of it are being made, also of an order that the address leaves out. */
  readonly isAtWork: boolean
}

/**
 * The videos that an address asks for, in its order: each once, with the orders of it that are
 * asked for. A video is as new as its newest order of these. Names are found in upper and lower
 * case alike; ties are ordered by id, as at the server.
 */
export function arrangeLibrary(
  entries: readonly LibraryEntry[],
  address: LibraryAddress,
  nowEpochMs: number,
): readonly LibraryVideo[] {
  const { sortBy, sortDirection } = queryOf(address)
  const newestFirst = entries
    .filter(askedBy(address, nowEpochMs))
    .toSorted((a, b) => compare(b.createdAt, a.createdAt) || compare(b._id, a._id))
  const videos = groupByVideo(newestFirst, entries)
  if (sortBy !== 'name') return sortDirection === 'asc' ? videos.toReversed() : videos
  const sign = sortDirection === 'asc' ? 1 : -1
  return videos
    .map((video) => ({ video, key: video.name.toLowerCase() }))
    .toSorted(
      (a, b) =>
        sign * (compare(a.key, b.key) || compare(a.video.orders[0]._id, b.video.orders[0]._id)),
    )
    .map(({ video }) => video)
}

function askedBy(address: LibraryAddress, nowEpochMs: number): (entry: LibraryEntry) => boolean {
  const part = queryOf(address).name.toLowerCase()
  const days = SINCE_DAYS[address.since]
  const since = days === null ? '' : new Date(nowEpochMs - days * DAY_MS).toISOString()
  const { state, format, video } = address
  return (entry) =>
    (state === 'all' || entry.state === state) &&
    (format === null || entry.formats.some((slug) => slug === format)) &&
    (video === null || entry.uploadRequestId === video) &&
    entry.createdAt >= since &&
    (part === '' || entry.name.toLowerCase().includes(part))
}

function groupByVideo(
  newestFirst: readonly LibraryEntry[],
  entries: readonly LibraryEntry[],
): readonly LibraryVideo[] {
  const groups = new Map<string, [LibraryEntry, ...LibraryEntry[]]>()
  const counts = new Map<string, number>()
  const atWork = new Set<string>()
  for (const { uploadRequestId, state } of entries) {
    counts.set(uploadRequestId, (counts.get(uploadRequestId) ?? 0) + 1)
    if (state === 'in-progress') atWork.add(uploadRequestId)
  }
  for (const entry of newestFirst) {
    const group = groups.get(entry.uploadRequestId)
    if (group === undefined) groups.set(entry.uploadRequestId, [entry])
    else group.push(entry)
  }
  return [...groups].map(([uploadRequestId, orders]) => ({
    uploadRequestId,
    name: orders[0].name,
    orders,
    hiddenCount: (counts.get(uploadRequestId) ?? orders.length) - orders.length,
    isAtWork: atWork.has(uploadRequestId),
  }))
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
