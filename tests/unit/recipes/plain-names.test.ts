import { expect, it } from 'vitest'
import { plainName, withPlainNames } from '#recipes/plain-names.ts'
import { recipes } from '#recipes/presets.ts'
import { assets, probe, SECRET, shortPayloads } from '#tests/fixtures/probes.ts'

const JOB = '0198c6b2-1111-7000-8000-00000000019c'

it.each(Object.entries(recipes))(
  'PHO-05 files of %s name neither it nor the video',
  (slug, recipe) => {
    const planned = recipe.plan(probe({ fileName: 'Beach day.mov' }), shortPayloads[slug], {
      moments: [],
      assets,
      music: [{ id: 'track', durationMs: 25_000, beats: { perMinute: 96, firstMs: 0 } }],
      faces: { tracks: [], wholly: [] },
      secret: SECRET,
    })
    if (!planned.ok) throw new Error(planned.error.message)
    const plain = withPlainNames(planned.value, { jobId: JOB, edit: 3 })
    const names = plain.outputs.map(({ fileName }) => fileName)
    expect(new Set(names).size).toBe(names.length)
    for (const [at, { fileName }] of planned.value.outputs.entries())
      expect(names[at]).toMatch(
        new RegExp(`^clip-0412-3(?:-${at + 1})?\\.${fileName.split('.').at(-1)}$`),
      )
    // The runner finds its files as before.
    expect({ ...plain, outputs: [] }).toEqual({ ...planned.value, outputs: [] })
    expect(plain.outputs.map(({ name }) => name)).toEqual(
      planned.value.outputs.map(({ name }) => name),
    )
  },
)

it('PHO-05 a job has one number, and others have others', () => {
  expect(plainName(JOB)).toBe('clip-0412')
  expect(plainName(JOB.replace('19c', '19d'))).toBe('clip-0413')
})
