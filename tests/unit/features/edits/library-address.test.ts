import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isSearchShown,
  libraryQuery,
  readLibraryAddress,
  SORTS,
  writeLibraryAddress,
} from '#src/features/edits/library-address.ts'

describe('the address of the library', () => {
  it('EDT-03 offers newest, oldest, name A-Z and name Z-A', () => {
    expect(SORTS.map((sort) => sort.label)).toEqual(['Newest', 'Oldest', 'Name A-Z', 'Name Z-A'])
    expect(libraryQuery(readLibraryAddress(new URLSearchParams()))).toEqual({
      name: '',
      sortBy: 'createdAt',
      sortDirection: 'desc',
    })
    expect(libraryQuery({ search: ' sea ', sort: 'name-z-a' })).toEqual({
      name: 'sea',
      sortBy: 'name',
      sortDirection: 'desc',
    })
  })

  it('EDT-03 shows the search from 5 edits on, and while one is set', () => {
    const address = { search: '', sort: 'newest' } as const
    expect(isSearchShown(4, address, 5)).toBe(false)
    expect(isSearchShown(5, address, 5)).toBe(true)
    expect(isSearchShown(0, { ...address, search: 'sea' }, 5)).toBe(true)
  })

  it('comes back as it was written, and survives any address', () => {
    // Well-formed text only: a lone half of a character cannot stand in an address.
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.constantFrom(...SORTS.map((sort) => sort.value)),
        (search, sort) => {
          expect(
            readLibraryAddress(
              new URLSearchParams(writeLibraryAddress({ search, sort }).toString()),
            ),
          ).toEqual({ search: search.slice(0, 200), sort })
        },
      ),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (entries) => {
        expect(libraryQuery(readLibraryAddress(new URLSearchParams(entries)))).toBeDefined()
      }),
    )
  })
})
