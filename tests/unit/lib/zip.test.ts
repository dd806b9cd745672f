import { expect, it } from 'vitest'
import { zipName } from '#src/lib/zip.ts'

it.each<readonly [readonly string[], string]>([
  [['beach-contact-sheet.jpg', 'beach-still-01.jpg', 'beach-still-02.jpg'], 'beach.zip'],
  [['beach-still-01.jpg', 'beach-still-02.jpg'], 'beach-still.zip'],
  [['beach-2-gif-wide.gif', 'beach-2-loop.mp4'], 'beach-2.zip'],
  [['clip-0412-1-1.jpg', 'clip-0412-1-2.jpg'], 'clip-0412-1.zip'],
  [['a.jpg', 'b.jpg'], 'edits.zip'],
  [['a.jpg', 'a.png'], 'a.zip'],
])('names a ZIP of %j %s', (names, name) => {
  expect(zipName(names)).toBe(name)
})
