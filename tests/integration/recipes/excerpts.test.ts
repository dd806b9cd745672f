import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { cut, expectSame } from '#tests/setup/cut-film.ts'
import { FILMS, SEGMENTS } from '#tests/setup/films.ts'
import { renderPlan } from '#tests/setup/render-plan.ts'

it.each([...FILMS, ...SEGMENTS])(
  'NOW-01 an excerpt shows each picture and sound of its whole: $name',
  expectSame,
)

it('NOW-01 a teaser of an excerpt is that of its whole, to the byte', async () => {
  const film = FILMS.find(({ name }) => name.includes('10 bits'))
  if (film === undefined) throw new Error('There is no such film')
  const own = await cut(film)
  const teasers = [own.whole, own.excerpt].map(async (source, place) => {
    const folder = await mkdtemp(join(tmpdir(), `onecut-excerpt-${place}-`))
    onTestFinished(() => rm(folder, { recursive: true }))
    const outputs = await renderPlan(own.plan, { source, folder })
    return await readFile(outputs['teaser-15s.mp4'] ?? '')
  })
  const [ofWhole, ofExcerpt] = await Promise.all(teasers)
  expect(ofWhole?.byteLength).toBeGreaterThan(50_000)
  expect(ofExcerpt?.equals(ofWhole ?? Buffer.alloc(0))).toBe(true)
})
