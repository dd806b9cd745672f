import { expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import { servedShow, type ServedShow } from '#src/components/preview/served-preview.ts'
import { momentBoard } from '#src/local/edits/moment-boards.ts'
import { plainRequest } from '#src/local/edits/task-requests.ts'
import { fakeUploadMoments } from '#tests/fakes/fake-moments.ts'

const found = fakeUploadMoments()
const show = (slug: string, of = found, payload = recipes[slug]?.typicalPayload): ServedShow =>
  servedShow({ slug, payload }, of)
const stretches = (shown: ServedShow) =>
  shown.kind === 'passages' ? shown.passages.map(({ startMs, endMs }) => [startMs, endMs]) : []

const teaser = plainRequest('teaser-15s')
/** The moments that the board of a teaser begins with. */
const begin = (teaser === null ? null : momentBoard(teaser, found))?.begin.shown ?? []
/** The board keeps whole milliseconds. */
const whole = (shown: ServedShow) => stretches(shown).map((ends) => ends.map(Math.floor))

it('DEL-05 shows the moments that the board and the server would choose, not evenly spaced ones', () => {
  const shown = show('teaser-15s')
  expect(shown).toMatchObject({ kind: 'passages', isOneVideo: true })
  expect(begin).toHaveLength(6)
  expect(whole(shown)).toEqual(begin.map(({ startMs, endMs }) => [startMs, endMs]))
  expect(whole(show('teaser-15s', { ...found, moments: [] }))).not.toEqual(whole(shown))
})

it('DEL-05 shows the moments that a person chose, in their order', () => {
  const moments = { shown: begin.toReversed(), banned: [] }
  const shown = whole(show('teaser-15s', found, { moments }))
  expect(shown.map(([startMs]) => startMs)).toEqual(
    begin.map(({ startMs }) => startMs).toReversed(),
  )
})

it('DEL-05 names the files of a pack as the edit does', () => {
  const names = (shown: ServedShow) =>
    shown.kind === 'passages' ? shown.passages.map(({ name }) => name) : []
  expect(names(show('social-media-gif-pack'))).toEqual([
    'square GIF',
    'wide GIF',
    'upright GIF',
    'looping video',
  ])
  expect(names(show('still-pack'))).toHaveLength(12)
  expect(names(show('still-pack'))[0]).toBe('still 1')
})

it.each(Object.keys(recipes).filter((slug) => recipes[slug]?.timeline !== undefined))(
  'DEL-05 %s shows its passages without its file',
  (slug) => {
    expect(show(slug).kind).toBe('passages')
  },
)

it('DEL-05 asks for patience before the search has ended, and for the file without pictures', () => {
  expect(show('teaser-15s', { ...found, pictures: null })).toEqual({ kind: 'needs-file' })
  const searching = fakeUploadMoments({ state: 'searching', moments: [], pictures: null })
  expect(show('teaser-15s', searching)).toEqual({ kind: 'later' })
})
