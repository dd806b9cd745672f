import { expect, it } from 'vitest'
import { fileFacts, fileSource } from '#src/local/uploads/file/file-source.ts'

it('SRC-08 shows and sends a name without marks that turn it around', () => {
  const file = new File(['x'], 'trailer-\u202e4pm.exe', { type: 'video/mp4', lastModified: 5 })
  const facts = {
    name: 'trailer-4pm.exe',
    sizeBytes: 1,
    lastModifiedEpochMs: 5,
    type: 'video/mp4',
  }
  expect(fileFacts(file)).toEqual(facts)
  expect(fileSource(file).file).toEqual(facts)
})
