import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { judgeDrag } from '#src/ui/dropped-files.ts'

const isVideo = (type: string) => type.startsWith('video/')
const item = fc.record({
  kind: fc.constantFrom('file', 'string'),
  type: fc.constantFrom('', 'video/mp4', 'video/quicktime', 'image/png', 'text/plain'),
})

it('UPL-02 a drag shows accept exactly when every dragged thing is a file of an accepted or unknown type and there are not too many', () => {
  fc.assert(
    fc.property(
      fc.array(item, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 3 }),
      (items, maxFiles) => {
        const files = items.filter((one) => one.kind === 'file')
        const isFine =
          files.length > 0 &&
          files.length <= maxFiles &&
          files.every((one) => one.type === '' || isVideo(one.type))
        expect(judgeDrag(items, isVideo, maxFiles)).toBe(isFine ? 'accept' : 'reject')
      },
    ),
  )
  expect(judgeDrag([], isVideo, 1)).toBe('unknown')
})
