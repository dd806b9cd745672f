import { open } from 'node:fs/promises'
import { boxAt, type Box } from '#checks/boxes.ts'

/** Boxes that an edit list lies in (ISO/IEC 14496-12 §8.6.6). */
const AROUND: ReadonlySet<string> = new Set(['moov', 'trak', 'edts'])
/** Headers that are read of one file: some milliseconds, and far more than lie before a list. */
const MAX_BOXES = 20_000
const HEADER_BYTES = 16
/** What is read at a time: a file of nothing but small boxes has hundreds of headers in it. */
const PAGE_BYTES = 4096
/** Version and flags stand before the count. */
const COUNT_AT = 4
const LEAST_ENTRY_BYTES = 12

/**
 * How many entries the longest edit list of an MP4 or MOV has; 0 of other files. Of a file with so
 * many boxes that this reader gives up, the limits of the tools are the bound.
 */
export async function longestEditList(path: string): Promise<number> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  const page = { at: 0, bytes: Buffer.alloc(PAGE_BYTES), length: 0 }
  const read = async (at: number): Promise<Buffer> => {
    if (at < page.at || at + HEADER_BYTES > page.at + page.length) {
      page.at = at
      page.length = (await file.read(page.bytes, 0, PAGE_BYTES, at)).bytesRead
    }
    const start = at - page.at
    return page.bytes.subarray(start, Math.min(start + HEADER_BYTES, page.length))
  }
  const inside: Pick<Box, 'bodyStart' | 'end'>[] = [{ bodyStart: 0, end: size }]
  let longest = 0
  for (let seen = 0; seen < MAX_BOXES; seen += 1) {
    const around = inside.pop()
    if (around === undefined) break
    const box = boxAt(await read(around.bodyStart), around.bodyStart, around.end)
    if (box === null) continue
    const end = Math.min(box.end, around.end)
    if (end + 8 <= around.end) inside.push({ bodyStart: end, end: around.end })
    if (AROUND.has(box.type)) inside.push({ bodyStart: box.bodyStart, end })
    if (box.type !== 'elst' || box.bodyStart + COUNT_AT + 4 > end) continue
    const said = (await read(box.bodyStart)).readUInt32BE(COUNT_AT)
    const room = Math.floor((end - box.bodyStart - COUNT_AT - 4) / LEAST_ENTRY_BYTES)
    longest = Math.max(longest, Math.min(said, room))
  }
  return longest
}
