import { expect, it } from 'vitest'
import { arrangeLibrary } from '#src/features/edits/arrange-library.ts'
import { EVERYTHING, type LibraryAddress } from '#src/features/edits/library-address.ts'
import { entryOf } from '#src/local/db/library-entry.ts'
import { fakeMediaJob, idOf } from '#tests/fakes/fake-rows.ts'
import { fakeTask } from '#tests/screens/harness/things.ts'

const NOW = Date.parse('2026-11-21T10:00:00.000Z')
const done = { progressRatio: 1 }
const stills = { tasks: [fakeTask({ mediaJobTaskPresetSlug: 'still-pack' })] }
const entries = [
  { name: 'b take', createdAt: '2026-11-20T00:00:00.000Z', ...done },
  { name: 'C take', createdAt: '2026-11-01T00:00:00.000Z', ...stills },
  { name: 'a take', createdAt: '2026-01-01T00:00:00.000Z', uploadRequestId: idOf(77) },
].map((changes, index) =>
  entryOf({
    value: fakeMediaJob({ _id: idOf(index), uploadRequestId: idOf(70 + index), ...changes }),
  }),
)
const names = (changes: Partial<LibraryAddress>) =>
  arrangeLibrary(entries, { ...EVERYTHING, ...changes }, NOW)
    .map(({ name }) => name[0])
    .join('')

it('EDT-03 newest, oldest, name A-Z and name Z-A; a search matches any part of the name, whatever the case', () => {
  expect(names({})).toBe('bCa')
  expect(names({ sort: 'oldest' })).toBe('aCb')
  expect(names({ sort: 'name-a-z' })).toBe('abC')
  expect(names({ sort: 'name-z-a' })).toBe('Cba')
  expect(names({ search: ' c TAKE' })).toBe('C')
})

it('LIF-03 narrows by state, date, format and video', () => {
  expect(names({ state: 'completed' })).toBe('b')
  expect(names({ state: 'unstarted' })).toBe('Ca')
  expect([names({ since: 'week' }), names({ since: 'month' }), names({ since: 'year' })]).toEqual([
    'b',
    'bC',
    'bCa',
  ])
  expect(names({ format: 'still-pack' })).toBe('C')
  expect(names({ video: idOf(77) })).toBe('a')
  expect(names({ video: idOf(77), state: 'failed' })).toBe('')
})

it('WAY-05 each video stands once, as new as its newest order that is asked for, the newest first', () => {
  const order = (id: number, video: number, day: number, changes = {}) =>
    entryOf({
      value: fakeMediaJob({
        _id: idOf(id),
        uploadRequestId: idOf(video),
        name: `video ${video}`,
        createdAt: `2026-11-${day}T00:00:00.000Z`,
        ...changes,
      }),
    })
  const started = { isMediaWorkflowStarted: true }
  const all = [order(1, 7, 10), order(2, 8, 11), order(3, 7, 12, started), order(4, 9, 13)]
  const shown = (changes: Partial<LibraryAddress>) =>
    arrangeLibrary(all, { ...EVERYTHING, ...changes }, NOW).map((video) => [
      video.name,
      ...video.orders.map(({ _id }) => all.findIndex((entry) => entry._id === _id) + 1),
    ])
  expect(shown({})).toEqual([
    ['video 9', 4],
    ['video 7', 3, 1],
    ['video 8', 2],
  ])
  expect(shown({ sort: 'oldest' }).map(([name]) => name)).toEqual(['video 8', 'video 7', 'video 9'])
  expect(shown({ sort: 'name-z-a' })[2]).toEqual(['video 7', 3, 1])
  // Of what is narrowed, only the orders asked for; the rest is counted and its work still known.
  expect(shown({ state: 'unstarted' }).map(([name]) => name)).toEqual([
    'video 9',
    'video 8',
    'video 7',
  ])
  const [, , narrowed] = arrangeLibrary(all, { ...EVERYTHING, state: 'unstarted' }, NOW)
  expect(narrowed).toMatchObject({ hiddenCount: 1, isAtWork: true })
})
