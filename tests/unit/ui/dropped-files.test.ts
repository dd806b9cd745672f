import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { judgeDrag, readTransfer } from '#src/ui/dropped-files.ts'

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

it('UPL-02 a dropped folder is told and left out also where the browser has no handles and gives a file for it', async () => {
  const transfer = { items: [dropped('scenes', true), dropped('scene.mp4', false)] }
  const brought = await readTransfer(transfer as unknown as DataTransfer)
  expect(brought.files.map(({ file, handle }) => [file.name, handle])).toEqual([
    ['scene.mp4', null],
  ])
  expect(brought.hasFolder).toBe(true)
})

/** An item of a drop in Firefox. */
function dropped(name: string, isDirectory: boolean) {
  return {
    kind: 'file',
    getAsFile: () => new File([], name),
    webkitGetAsEntry: () => ({ isDirectory }),
  }
}
