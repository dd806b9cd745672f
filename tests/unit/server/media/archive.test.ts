import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packArchive } from '#server/media/archive.ts'

it('packing a file that is not there fails, and ends nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'))
  try {
    const packed = packArchive(
      join(folder, 'stills.zip'),
      [{ path: join(folder, 'missing.jpg'), name: 'still-1.jpg' }],
      new AbortController().signal,
    )
    await expect(packed).rejects.toThrow('ENOENT')
  } finally {
    await rm(folder, { recursive: true })
  }
})
