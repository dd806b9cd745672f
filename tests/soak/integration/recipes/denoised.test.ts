import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { denoisedBy } from '#tests/setup/denoised.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'denoised-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

// `npm test` has the strength between them.
it.each([8, 24])(
  'REC-15 a denoised scene is at least 3 dB nearer to the picture without its grain, at strength %i',
  async (strength) => {
    expect(await denoisedBy(strength, folder)).toBeGreaterThan(3)
  },
)
