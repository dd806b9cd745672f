import { expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import { ARCHIVE_TYPE, singleFiles } from '#recipes/single-files.ts'
import { SECRET, assets, probe, shortPayloads } from '#tests/fixtures/probes.ts'

it('DEL-04 what an archive of an edit holds stands beside it, so that leaving it out loses nothing', () => {
  const context = { moments: [], assets, secret: SECRET }
  const archives = Object.entries(recipes).flatMap(([slug, recipe]) => {
    const plan = recipe.plan(probe(), shortPayloads[slug], context)
    const outputs = plan.ok ? plan.value.outputs : []
    return outputs
      .filter(({ kind }) => kind === 'archive')
      .map((archive) => ({ archive, beside: singleFiles(outputs).map(({ name }) => name) }))
  })
  expect(archives.length).toBeGreaterThan(0)
  for (const { archive, beside } of archives) {
    expect(archive.contentType).toBe(ARCHIVE_TYPE)
    expect(beside).toEqual(expect.arrayContaining([...(archive.members ?? [])]))
  }
})
