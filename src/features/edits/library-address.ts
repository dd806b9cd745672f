import type { MediaJobsQuery } from '#src/local/sync/media-jobs.ts'

/** The four sort orders of the specification (EDT-03), as written in the address. */
export const SORTS = [
  { value: 'newest', label: 'Newest', sortBy: 'createdAt', sortDirection: 'desc' },
  { value: 'oldest', label: 'Oldest', sortBy: 'createdAt', sortDirection: 'asc' },
  { value: 'name-a-z', label: 'Name A-Z', sortBy: 'name', sortDirection: 'asc' },
  { value: 'name-z-a', label: 'Name Z-A', sortBy: 'name', sortDirection: 'desc' },
] as const
type SortValue = (typeof SORTS)[number]['value']

/** What an address asks of the library. Unknown values count as their defaults. */
export interface LibraryAddress {
  readonly search: string
  readonly sort: SortValue
}

/** The contract's limit of a searched name. */
const SEARCH_MAX_CHARACTERS = 200

/** Reads `?q=` and `?sort=`. */
export function readLibraryAddress(params: URLSearchParams): LibraryAddress {
  const sort = SORTS.find((candidate) => candidate.value === params.get('sort'))?.value ?? 'newest'
  return { search: (params.get('q') ?? '').slice(0, SEARCH_MAX_CHARACTERS), sort }
}

/** Writes an address; defaults are left out, so that `/edits` stays `/edits`. */
export function writeLibraryAddress({ search, sort }: LibraryAddress): URLSearchParams {
  const params = new URLSearchParams()
  if (search !== '') params.set('q', search)
  if (sort !== 'newest') params.set('sort', sort)
  return params
}

/** The query of an address. */
export function libraryQuery({ search, sort }: LibraryAddress): MediaJobsQuery {
  const { sortBy, sortDirection } = SORTS.find((candidate) => candidate.value === sort) ?? SORTS[0]
  return { name: search.trim(), sortBy, sortDirection }
}

/**
 * Whether the search and sort box shows: with `shownFrom` edits or more, or while a search is set
 * (docs/product-decisions.md#library-search).
 */
export function isSearchShown(
  loadedCount: number,
  { search }: LibraryAddress,
  shownFrom: number,
): boolean {
  return loadedCount >= shownFrom || search !== ''
}
