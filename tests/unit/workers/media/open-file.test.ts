import { describe, expect, it } from 'vitest'
import { openFile } from '#workers/media/open-file.ts'

const SIZE = 3_000_000
const bytes = Uint8Array.from({ length: SIZE }, (_, at) => (at * 31 + (at >> 9)) & 255)

/** A file that counts how often it is read. */
function countedFile(): {
  readonly file: File
  readonly reads: () => number
  readonly bytes: () => number
  readonly fails: (does: boolean) => void
} {
  const file = new File([bytes], 'video.mkv')
  let [count, total, isFailing] = [0, 0, false]
  const slice = file.slice.bind(file)
  Object.defineProperty(file, 'slice', {
    value: (start: number, end: number) => {
      count += 1
      total += Math.min(end, SIZE) - start
      return isFailing
        ? { arrayBuffer: () => Promise.reject(new DOMException('changed', 'NotReadableError')) }
        : slice(start, end)
    },
  })
  return {
    file,
    reads: () => count,
    bytes: () => total,
    fails: (does) => {
      isFailing = does
    },
  }
}

describe('an open file', () => {
  it.each([
    [0, 16],
    [524_280, 524_300],
    [1, 1_100_000],
    [500_000, 2_900_000],
    [2_999_990, 3_100_000],
    [SIZE, SIZE + 5],
  ])('gives its bytes from %i to %i', async (start, end) => {
    const opened = openFile(countedFile().file)
    expect(Buffer.compare(await opened.read(start, end), bytes.subarray(start, end))).toBe(0)
    opened.close()
  })

  it('reads what lies together once', async () => {
    const counted = countedFile()
    const opened = openFile(counted.file)
    for (let at = 0; at < 500_000; at += 1_000) await opened.read(at, at + 16)
    for (let at = 2_900_000; at < SIZE; at += 1_000) await opened.read(at, at + 16)
    // One from the beginning, one from the end.
    expect(counted.reads()).toBe(2)
    opened.close()
  })

  it('reads little where the reader looks around, and more where it reads on', async () => {
    const counted = countedFile()
    const opened = openFile(counted.file)
    await opened.read(1_400_000, 1_400_016)
    const looked = counted.bytes()
    for (let at = 1_400_000; at < 2_000_000; at += 1_000) await opened.read(at, at + 188)
    expect(looked).toBeLessThan(300_000)
    expect(counted.reads()).toBeLessThan(6)
    opened.close()
  })

  it('tries a read that failed again', async () => {
    const counted = countedFile()
    const opened = openFile(counted.file)
    counted.fails(true)
    await expect(opened.read(0, 16)).rejects.toThrow('changed')
    counted.fails(false)
    expect(await opened.read(0, 16)).toEqual(bytes.subarray(0, 16))
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
