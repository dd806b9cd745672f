import type { MediaJobsQuery } from '#src/local/sync/media-jobs.ts'

/** The four sort orders of the specification (EDT-03), as written in the address. */
export const SORTS = [
  { value: 'newest', label: 'Newest', sortBy: 'createdAt', sortDirection: 'desc' },
  { value: 'oldest', label: 'Oldest', sortBy: 'createdAt', sortDirection: 'asc' },
  { value: 'name-a-z', label: 'Name A-Z', sortBy: 'name', sortDirection: 'asc' },
  { value: 'name-z-a', label: 'Name Z-A', sortBy: 'name', sortDirection: 'desc' },
] as const

/** States by which the library can be narrowed. */
export const STATES = [
  { value: 'all', label: 'Any state' },
  { value: 'unstarted', label: 'Waiting' },
  { value: 'in-progress', label: 'In work' },
  { value: 'completed', label: 'Finished' },
  { value: 'failed', label: 'Failed or cancelled' },
] as const

/** Times of ordering by which it can be narrowed. */
export const SINCES = [
  { value: 'ever', label: 'Any date' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
  { value: 'year', label: 'Last 365 days' },
] as const

/** How many days back; null for all. */
export const SINCE_DAYS: Readonly<Record<(typeof SINCES)[number]['value'], number | null>> = {
  ever: null,
  week: 7,
  month: 30,
  year: 365,
}

/** What an address asks of the library. Unknown values count as their defaults. */
export interface LibraryAddress {
  readonly search: string
  readonly sort: (typeof SORTS)[number]['value']
  readonly state: (typeof STATES)[number]['value']
  readonly since: (typeof SINCES)[number]['value']
  /** Slug of a preset; null for all. */
  readonly format: string | null
  /** Id of an upload request; null for all. */
  readonly video: string | null
}

/** The whole library. */
export const EVERYTHING: LibraryAddress = {
  search: '',
  sort: 'newest',
  state: 'all',
  since: 'ever',
  format: null,
  video: null,
}

/** The contract's limit of a searched name. */
const SEARCH_MAX_CHARACTERS = 200

/** Reads `?q=`, `?sort=`, `?state=`, `?since=`, `?format=` and `?video=`. */
export function readLibraryAddress(params: URLSearchParams): LibraryAddress {
  return {
    search: (params.get('q') ?? '').slice(0, SEARCH_MAX_CHARACTERS),
    sort: oneOf(SORTS, params.get('sort')),
    state: oneOf(STATES, params.get('state')),
    since: oneOf(SINCES, params.get('since')),
    format: params.get('format'),
    video: params.get('video'),
  }
}

/** Writes an address; defaults are left out, so that `/edits` stays `/edits`. */
export function writeLibraryAddress({ search, ...rest }: LibraryAddress): URLSearchParams {
  const params = new URLSearchParams()
  if (search !== '') params.set('q', search)
  for (const key of ['sort', 'state', 'since', 'format', 'video'] as const) {
    const value = rest[key]
    if (value !== null && value !== EVERYTHING[key]) params.set(key, value)
  }
  return params
}

/** What the server is asked for an address: it knows search and order, not the filters. */
export function queryOf({ search, sort }: LibraryAddress): MediaJobsQuery {
  const { sortBy, sortDirection } = SORTS.find((candidate) => candidate.value === sort) ?? SORTS[0]
  return { name: search.trim(), sortBy, sortDirection }
}

/** Whether an address leaves out a part of the library. */
export function isNarrowed(address: LibraryAddress): boolean {
  return writeLibraryAddress({ ...address, sort: EVERYTHING.sort }).size > 0
}

/**
 * Whether the search and sort box shows: with `shownFrom` edits or more, or while a search is set
 * (docs/product-decisions.md#library-search).
 */
export function isSearchShown(
  loadedCount: number,
  address: LibraryAddress,
  shownFrom: number,
): boolean {
  return loadedCount >= shownFrom || isNarrowed(address)
}

function oneOf<V extends string>(
  options: readonly [{ readonly value: V }, ...{ readonly value: V }[]],
  text: string | null,
): V {
  return (options.find(({ value }) => value === text) ?? options[0]).value
}
