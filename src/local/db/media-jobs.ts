import { Dexie } from 'dexie'
import type { AccountDb } from './account-db.ts'
import type { MediaJobRow } from './rows.ts'

/** The order and search of the library; the server takes the same. */
export interface MediaJobsView {
  readonly name: string
  readonly sortBy: 'createdAt' | 'name'
  readonly sortDirection: 'asc' | 'desc'
}

/**
 * This device's jobs in the library's order: the name contains the text, upper and lower case
 * alike; ties are ordered by id. Pulled jobs are a prefix of the server's list, so the first
 * `limit` rows here are the server's first `limit` once that many were pulled.
 */
export async function findMediaJobs(
  db: AccountDb,
  view: MediaJobsView,
  limit: number,
): Promise<readonly MediaJobRow[]> {
  const part = view.name.trim().toLowerCase()
  if (part === '' && view.sortBy === 'createdAt') {
    const oldestFirst = db.mediaJobs.orderBy('createdAt')
    const inOrder = view.sortDirection === 'asc' ? oldestFirst : oldestFirst.reverse()
    return await inOrder.limit(limit).toArray()
  }
  const rows =
    part === ''
      ? await db.mediaJobs.toArray()
      : await db.mediaJobs.filter((row) => row.name.toLowerCase().includes(part)).toArray()
  const key = (row: MediaJobRow): string =>
    view.sortBy === 'name' ? row.name.toLowerCase() : row.createdAt
  const sign = view.sortDirection === 'asc' ? 1 : -1
  return rows
    .sort((a, b) => sign * (compare(key(a), key(b)) || compare(a._id, b._id)))
    .slice(0, limit)
}

/** This device's jobs made from `oldest` to `newest`, both included; null is the list's own end. */
export async function findJobsMadeBetween(
  db: AccountDb,
  oldest: string | null,
  newest: string | null,
): Promise<readonly MediaJobRow[]> {
  return await db.mediaJobs
    .where('createdAt')
    .between(oldest ?? Dexie.minKey, newest ?? Dexie.maxKey, true, true)
    .toArray()
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
