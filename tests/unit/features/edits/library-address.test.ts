import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  EVERYTHING,
  isNarrowed,
  isSearchShown,
  queryOf,
  readLibraryAddress,
  SINCES,
  SORTS,
  STATES,
  writeLibraryAddress,
} from '#src/features/edits/library-address.ts'

describe('the address of the library', () => {
  it('EDT-03 offers newest, oldest, name A-Z and name Z-A', () => {
    expect(SORTS.map((sort) => sort.label)).toEqual(['Newest', 'Oldest', 'Name A-Z', 'Name Z-A'])
    expect(queryOf(readLibraryAddress(new URLSearchParams()))).toEqual({
      name: '',
      sortBy: 'createdAt',
      sortDirection: 'desc',
    })
    expect(queryOf({ ...EVERYTHING, search: ' sea ', sort: 'name-z-a' })).toEqual({
      name: 'sea',
      sortBy: 'name',
      sortDirection: 'desc',
    })
  })

  it('EDT-03 shows the search from 5 edits on, and while one is set', () => {
    expect(isSearchShown(4, EVERYTHING, 5)).toBe(false)
    expect(isSearchShown(5, EVERYTHING, 5)).toBe(true)
    expect(isSearchShown(0, { ...EVERYTHING, search: 'sea' }, 5)).toBe(true)
    expect(isSearchShown(0, { ...EVERYTHING, state: 'failed' }, 5)).toBe(true)
    expect(isNarrowed({ ...EVERYTHING, sort: 'oldest' })).toBe(false)
  })

  it('comes back as it was written, and survives any address', () => {
    // Well-formed text only: a lone half of a character cannot stand in an address.
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.constantFrom(...SORTS.map((sort) => sort.value)),
        fc.constantFrom(...STATES.map((state) => state.value)),
        fc.constantFrom(...SINCES.map((since) => since.value)),
        fc.constantFrom(null, 'gif-pack'),
        (search, sort, state, since, format) => {
          const address = { search, sort, state, since, format, video: format }
          expect(
            readLibraryAddress(new URLSearchParams(writeLibraryAddress(address).toString())),
          ).toEqual({ ...address, search: search.slice(0, 200) })
        },
      ),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (entries) => {
        expect(queryOf(readLibraryAddress(new URLSearchParams(entries)))).toBeDefined()
      }),
    )
  })
})
