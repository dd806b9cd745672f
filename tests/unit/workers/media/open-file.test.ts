import { describe, expect, it } from 'vitest'
import { openFile } from '#workers/media/open-file.ts'

const SIZE = 3_000_000
const bytes = Uint8Array.from({ length: SIZE }, (_, at) => (at * 31 + (at >> 9)) & 255)

/** A file that counts how often it is read. */
function countedFile(): { readonly file: File; readonly reads: () => number; readonly bytes: () => number } {
  const file = new File([bytes], 'video.mkv')
  let [count, total] = [0, 0]
  const slice = file.slice.bind(file)
  Object.defineProperty(file, 'slice', { value: (start: number, end: number) => {
    count += 1
    total += Math.min(end, SIZE) - start
    return slice(start, end)
  } })
  return { file, reads: () => count, bytes: () => total }
}

describe('an open file', () => {
  it.each([[0, 16], [524_280, 524_300], [1, 1_100_000], [500_000, 2_900_000], [2_999_990, 3_100_000], [SIZE, SIZE + 5]])('gives its bytes from %i to %i', async (start, end) => {
    const opened = openFile(countedFile().file)
    expect(Buffer.compare(await opened.read(start, end), bytes.subarray(start, end))).toBe(0)
    opened.close()
  })

  it('reads what lies together once', async () => {
    const counted = countedFile()
    const opened = openFile(counted.file)
    for (let at = 0; at < 500_000; at += 1_000) await opened.read(at, at + 16)
    for (let at = 2_700_000; at < SIZE; at += 1_000) await opened.read(at, at + 16)
    // One from the beginning, one from the end.
    expect(counted.reads()).toBe(2)
    opened.close()
  })

  it('reads no more once it is closed', async () => {
    const counted = countedFile()
    const opened = openFile(counted.file)
    await opened.read(0, 16)
    const input = opened.input()
    opened.close()
    const before = counted.reads()
    await expect(opened.read(0, 16)).rejects.toThrow('closed')
    await expect(input.getFormat()).rejects.toThrow()
    expect(counted.reads()).toBe(before)
  })

  it('is nothing to read when it is empty', async () => {
    const opened = openFile(new File([], 'empty.mp4'))
    expect(await opened.read(0, 400)).toHaveLength(0)
    opened.close()
  })
})
