import { DAY_MS } from '#src/lib/time.ts'
import type { LibraryEntry } from '#src/hooks/use-library.ts'
import { queryOf, SINCE_DAYS, type LibraryAddress } from './library-address.ts'

/**
 * The entries that an address asks for, in its order. Names are found in upper and lower case
 * alike; ties are ordered by id, as at the server.
 */
export function arrangeLibrary(
  entries: readonly LibraryEntry[],
  address: LibraryAddress,
  nowEpochMs: number,
): readonly LibraryEntry[] {
  const { name, sortBy, sortDirection } = queryOf(address)
  const part = name.toLowerCase()
  const days = SINCE_DAYS[address.since]
  const since = days === null ? '' : new Date(nowEpochMs - days * DAY_MS).toISOString()
  const { state, format, video } = address
  const sign = sortDirection === 'asc' ? 1 : -1
  return entries
    .filter(
      (entry) =>
        (state === 'all' || entry.state === state) &&
        (format === null || entry.formats.some((slug) => slug === format)) &&
        (video === null || entry.uploadRequestId === video) &&
        entry.createdAt >= since &&
        (part === '' || entry.name.toLowerCase().includes(part)),
    )
    .map((entry) => ({
      entry,
      key: sortBy === 'name' ? entry.name.toLowerCase() : entry.createdAt,
    }))
    .toSorted((a, b) => sign * (compare(a.key, b.key) || compare(a.entry._id, b.entry._id)))
    .map(({ entry }) => entry)
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
