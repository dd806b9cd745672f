import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPublished } from '#server/published.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-published-'))
  for (const name of ['real.mp4', 'real.jpg']) await writeFile(join(folder, name), 'media')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const voice = {
  name: 'Real Person',
  role: 'Content Creator',
  url: 'https://real.example.com',
  quote: 'It saves me the evening.',
  video: 'real.mp4',
  picture: 'real.jpg',
}
async function read(content: unknown) {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  await writeFile(join(folder, 'front-page.json'), text)
  return readPublished(folder)
}

it('LND-04 the operator publishes testimonials, figures and links, and only files that those name', async () => {
  const figures = { editsDelivered: 120, averageDeliveryHours: 2, yearsInIndustry: 1 }
  const socialLinks = [{ name: 'Mastodon', url: 'https://social.example.com/@us' }]
  const published = await read({ testimonials: [voice], figures, socialLinks })
  expect(published).toMatchObject({ testimonials: [voice], figures, socialLinks })
  expect([...published.files]).toEqual([
    ['real.mp4', join(folder, 'real.mp4')],
    ['real.jpg', join(folder, 'real.jpg')],
  ])
})

it('LND-04 what is left out stays an example, and without a folder nothing is published', async () => {
  const nothing = { testimonials: null, figures: null, socialLinks: [], files: new Map() }
  expect(await read({})).toEqual(nothing)
  expect(await readPublished(null)).toEqual(nothing)
})

it.each([
  ['no JSON', '{', /front-page\.json is no JSON/],
  ['an unknown name', { testimonal: [] }, /testimonal/],
  ['an empty list', { testimonials: [] }, /testimonials/],
  [
    'a site without https',
    { socialLinks: [{ name: 'x', url: 'javascript:1' }] },
    /socialLinks\.0\.url/,
  ],
  ['a file elsewhere', { testimonials: [{ ...voice, video: '../keys.mp4' }] }, /name of a file/],
  [
    'a file that is not there',
    { testimonials: [{ ...voice, video: 'gone.mp4' }] },
    /names gone\.mp4/,
  ],
])('LND-04 a start with %s ends with what to mend', async (_, content, message) => {
  await expect(read(content)).rejects.toThrow(message)
})

it('LND-04 a folder without the file ends the start', async () => {
  await expect(readPublished(join(folder, 'nowhere'))).rejects.toThrow(/cannot be read/)
})
